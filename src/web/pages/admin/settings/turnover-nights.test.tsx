// @vitest-environment dom
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { appOfFile, fill, openScreen, says } from '../../../../testing/component.tsx'

const site = appOfFile()

test('the owner saves turnover nights, checks them and reports a conflicting save [CAL-49]', async () => {
  const admin = await site.app.makeAdmin()
  const setup = site.app.as(admin).settings.calendar
  const { user } = await openScreen(site.app, '/admin/availability/other-platforms', admin)
  const card = within(await screen.findByRole('region', { name: 'Gap for cleaning' }))
  const press = async (name: string) => user.click(await card.findByRole('button', { name }))
  const turnover = () => card.getByLabelText<HTMLInputElement>(/^Turnover nights/)
  const enter = (nights: string) => fill({ 'Turnover nights': nights }, card)

  await press('Edit: Gap for cleaning')
  expect((await card.findByLabelText<HTMLInputElement>(/^Turnover nights/)).value).toBe('0')
  enter('8')
  await press('Save')
  await says('whole number from 0 to 7')
  enter('1')
  await press('Save')
  await says('Turnover nights saved')
  const { version, body } = await setup.get()
  expect(body).toEqual({ turnoverNights: 1 })

  await press('Edit: Gap for cleaning')
  await card.findByLabelText(/^Turnover nights/)
  enter('3')
  await setup.save({ version, body: { turnoverNights: 2 } })
  await press('Save')
  await says('These settings were changed')
  expect(turnover().value).toBe('3')
  await press('Load saved settings')
  await waitFor(() => expect(turnover().value).toBe('2'))
})
