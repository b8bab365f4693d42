// @vitest-environment dom
import { fireEvent, screen, waitForElementToBeRemoved, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import {
  appOfFile,
  changeAnswer,
  fill,
  onCall,
  openScreen,
  press,
  refusal,
  says,
} from '../../../../testing/component.tsx'
import { lineOfError, rangeOfLine } from './wording-form.tsx'

const site = appOfFile()
const textOf = () => screen.getByLabelText<HTMLTextAreaElement>(/^Text of the lease/)
const typed = (text: string) => fireEvent.input(textOf(), { target: { value: text } })

test('the lease says every error with its line, and is saved with a note [LTEXT-01, LTEXT-02, LOOK-52]', async () => {
  const owner = await site.app.makeAdmin()
  const { wordings } = site.app.as(owner)
  await openScreen(site.app, '/admin/site/documents', owner)
  await says('Nothing has been saved yet.')
  const shipped = textOf().value
  typed(`Pets: none.\nLease {{\n${shipped.replaceAll('{{deposit}}', 'a deposit')}`)
  await says('Not saved yet')
  await press('Save wording')
  await says('2 errors to fix before this can be saved:')
  await says('The lease template lacks the placeholder {{deposit}}.')
  await press('Go to line 2')
  expect(textOf().value.slice(textOf().selectionStart, textOf().selectionEnd)).toBe('Lease {{')

  typed(`Pets: none.\n\n${shipped}`)
  fill({ Note: 'No pets' })
  await press('Save wording')
  await says('Wording saved')
  await says('No pets')
  expect((await wordings.get({ kind: 'lease' })).wording.body.text).toMatch(/^Pets: none\./)

  const current = { kind: 'lease', version: 1, body: { text: `Cats: none.\n\n${shipped}` } }
  await wordings.save(current)
  typed(`Dogs: none.\n\n${shipped}`)
  await press('Save wording')
  await says('This wording was changed by somebody else meanwhile.')
  expect(screen.getByRole('region', { name: 'Both wordings' }).textContent).toMatch(/Cats.*Dogs/s)
  await press('Save wording')
  await waitForElementToBeRemoved(() => screen.queryByRole('region', { name: 'Both wordings' }))
  expect((await wordings.get({ kind: 'lease' })).wording.version).toBe(3)

  await press('Compare: version 1')
  const dialog = within(await screen.findByRole('dialog'))
  await dialog.findByText('In the text now')
  await press('Put into the text', dialog)
  await expect.poll(() => textOf().value).toMatch(/^Pets: none\./)
  await press('Back to the original')
  await press('Back to the original', within(await screen.findByRole('alertdialog')))
  await says('The original wording')
  expect(textOf().value).toBe(shipped)
})

test('an email shows what is wrong at its field, and can be sent as a sample [LTEXT-07, LTEXT-10, LOOK-52]', async () => {
  const owner = await site.app.makeAdmin()
  changeAnswer('wordings.preview', data => {
    data.html = ''
  })
  await openScreen(site.app, '/admin/site/documents?kind=lease-ready', owner)
  await screen.findByRole('region', { name: 'Lease ready to sign' })
  fill({ Title: 'x'.repeat(121) })
  await says('121 of 120 characters')
  await press('Save wording')
  await says('Title can be at most 120 characters long')
  expect(document.activeElement).toBe(screen.getByLabelText(/^Title/))
  fill({ Title: 'Come in, {{firstName}}' })
  await press('Send it to me')
  await says('The sample is on its way to')
  onCall('wordings.sendSample', () =>
    refusal({ fields: { subject: 'Unknown placeholder {{x}}' }, message: 'No.' }),
  )
  await press('Send it to me')
  await says('Unknown placeholder {{x}}')
  await press('Save wording')
  await says('Wording saved')
  const { wording } = await site.app.as(owner).wordings.get({ kind: 'lease-ready' })
  expect(wording.body.title).toBe('Come in, {{firstName}}')
})

test('placeholders have names in words, required ones a star, and the one at the cursor its value in an example [LOOK-54]', async () => {
  await openScreen(site.app, '/admin/site/documents', await site.app.makeAdmin())
  const chips = within(await screen.findByRole('group', { name: 'Insert:' })).getAllByRole('button')
  const names = chips.map(({ textContent }) => textContent)
  expect(names).toContain('Tenant names *')
  expect(names).toContain('House rules')
  expect(names.join()).not.toMatch(/[{}]|[a-z][A-Z]/)
  await says('{{applicationNumber}} becomes APP-')
  const at = textOf().value.indexOf('{{deposit}}') + 4
  textOf().focus()
  textOf().setSelectionRange(at, at)
  fireEvent.keyUp(textOf())
  await says('Words in {{ }} are filled in: {{deposit}} becomes $')
})

test('an error leads to the line that it names [LTEXT-01]', () => {
  const text = 'one\n\nthree {{'
  expect(lineOfError('Line 3 of the lease template has double braces.')).toBe(3)
  expect(lineOfError('The lease template lacks the placeholder {{Line 3}}.')).toBeUndefined()
  const range = rangeOfLine(text, 3)
  expect(text.slice(range?.start, range?.end)).toBe('three {{')
  expect(rangeOfLine(text, 2)).toEqual({ start: 4, end: 4 })
  expect(rangeOfLine(text, 4)).toBeUndefined()
})
