import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { noBreakEmails } from './no-break-emails.tsx'

const html = (text: string) => renderToStaticMarkup(<h2>{noBreakEmails(text)}</h2>)

test('keeps e-mail addresses and the word e-mail unbroken in a heading, and no other words', () => {
  expect(html('Send the e-mail to anna-maria@guest.example again?')).toMatch(
    /^<h2>Send the <span class="[^"]*inline-block[^"]*">e-mail<\/span> to <span [^>]*>anna-maria@guest.example<\/span> again\?<\/h2>$/,
  )
  expect(html('Set up two-step verification')).toBe('<h2>Set up two-step verification</h2>')
})
