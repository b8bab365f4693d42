// @vitest-environment dom
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { dates, makeBooking } from '../../../../testing/build-application.ts'
import { appOfFile, button, fill, isAt, openScreen, says } from '../../../../testing/component.tsx'

const site = appOfFile()

// Today is March 4, 2026.
test('upcoming stays come first until another sorting is chosen, below a row of cards about what comes [LOOK-83]', async () => {
  const admin = await site.app.makeAdmin()
  const book = async (firstName: string, start: string, end: string) =>
    makeBooking(site.app, await site.app.makeTenant(), admin, { firstName, ...dates(start, end) })
  await book('Later', '2026-05-01', '2026-05-09')
  await book('Sooner', '2026-03-20', '2026-03-29')
  await book('Latest', '2026-06-01', '2026-06-09')
  const names = () =>
    screen
      .getAllByRole('link', { name: /^(Later|Sooner|Latest) Rivers/ })
      .map(({ textContent }) => textContent)
  const startWith = (name: string) => waitFor(() => expect(names()[0]).toMatch(`${name} Rivers`))
  await openScreen(site.app, '/admin/dashboard', admin)
  for (const text of [
    'Next arrivalMar 20Sooner Rivers',
    'Next departureMar 29Sooner Rivers',
    'Booked in March9 of 31 nights',
    'To receive$0.00',
  ])
    await says(text)
  button('Descending')
  fill({ 'Sort by': 'upcoming' })
  await isAt('/admin/dashboard?sort=upcoming')
  expect(screen.queryByRole('button', { name: 'Descending' })).toBeNull()

  window.history.replaceState(null, '', '/admin/dashboard')
  await openScreen(site.app, '/admin/dashboard', admin)
  await waitFor(() => expect(screen.getByLabelText<HTMLSelectElement>('Sort by').value).toBe('upcoming'))
  await startWith('Sooner')
  fill({ 'Sort by': 'createdAt' })
  await isAt('/admin/dashboard?sort=createdAt')
  await startWith('Latest')
})
