import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { noBreakWords } from './no-break-words.tsx'

const html = (text: string) => renderToStaticMarkup(<h2>{noBreakWords(text)}</h2>)

test('keeps an email unbroken in a heading, and no other words; a long one breaks before its @ [LOOK-98]', () => {
  expect(html('Send it to anna-maria@guest.example again?')).toMatch(
    /^<h2>Send it to <span class="[^"]*inline-block[^"]*">anna-maria<wbr\/>@guest.example<\/span> again\?<\/h2>$/,
  )
  expect(html('Set up two-step verification')).toBe('<h2>Set up two-step verification</h2>')
})
