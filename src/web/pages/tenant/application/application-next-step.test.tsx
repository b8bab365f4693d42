// @vitest-environment dom
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { stayApp } from '../../../../testing/build-stay.ts'
import { appOfFile, openScreen } from '../../../../testing/component.tsx'

let made: Awaited<ReturnType<typeof stayApp>>
const site = appOfFile({}, async options => {
  made = await stayApp(options)
  return made.app
})

test.each([
  ['2026-05-01T20:00:00.000Z', 'Your stay is booked', 0],
  ['2026-06-02T20:00:00.000Z', 'You are here', 1],
])('on %s: %s, with %s links to the stay page', async (time, words, links) => {
  await made.at(time)
  for (const path of ['/dashboard', `/application/${made.id}`]) {
    await openScreen(site.app, path, made.tenant)
    const lead = () => within(screen.getByRole('region', { name: 'Next step' }))
    await waitFor(() => lead().getByText(new RegExp(words)), { timeout: 8_000 })
    const found = lead().queryAllByRole('link', { name: 'Open your stay' })
    expect(found.map(link => link.getAttribute('href'))).toEqual(links ? [`/stay/${made.id}`] : [])
  }
})
