import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { RadioGroupField } from './choice-fields.tsx'
import { TextField } from './text-field.tsx'

test('connects a field to its label, hint and error', () => {
  const html = renderToStaticMarkup(
    <TextField id="email" label="Email Address" hint="We rarely write." error="Email is required" required />,
  )
  expect(html).toContain('<label for="email"')
  expect(html).toMatch(/<input[^>]* id="email" aria-describedby="email-hint email-error" aria-invalid="true"/)
  expect(html).toMatch(/id="email-hint"[^>]*>We rarely write\./)
  expect(html).toMatch(/id="email-error".*Email is required/)
  // The schema's message is shown instead of the browser's.
  expect(html).not.toMatch(/<input[^>]* required/)
})

test('sets no description on a field without hint and error', () => {
  const html = renderToStaticMarkup(<TextField id="email" label="Email Address" />)
  expect(html).not.toContain('aria-describedby')
  expect(html).not.toContain('aria-invalid=')
})

test('checks only the option with the controlled value', () => {
  const options = [
    { value: 'available', label: 'Available' },
    { value: 'unavailable', label: 'Unavailable' },
  ]
  const html = renderToStaticMarkup(
    <RadioGroupField
      label="Set to"
      name="to"
      options={options}
      value="unavailable"
      onChange={() => undefined}
    />,
  )
  const checked = html.match(/<input[^>]*>/g)?.filter(input => input.includes('checked=""'))
  expect(checked).toHaveLength(1)
  expect(checked?.[0]).toContain('value="unavailable"')
})
