import { expect, test } from 'vitest'
import { returnUrls } from './checkout.ts'

const production = {
  origin: 'https://condo.example',
  mode: 'production' as const,
  demo: { seed: false, hosts: ['localhost'] },
}
const demo = {
  origin: 'http://localhost:3000',
  mode: 'demo' as const,
  demo: { seed: true, hosts: ['localhost', '127.0.0.1', '[::1]'] },
}
const success = (site: typeof production | typeof demo, successUrl?: string) =>
  returnUrls(site, { successUrl }).successUrl

test('adds the session id where it is missing, unescaped and once', () => {
  const expected = 'https://condo.example/payment/success?session_id={CHECKOUT_SESSION_ID}'
  for (const asked of [
    undefined,
    '/payment/success',
    'https://condo.example/payment/success',
    'https://condo.example/payment/success?session_id={CHECKOUT_SESSION_ID}',
    'https://condo.example/payment/success?session_id=%7BCHECKOUT_SESSION_ID%7D',
    'https://condo.example/payment/success?session_id={session}',
  ])
    expect(success(production, asked)).toBe(expected)
  expect(success(production, 'https://condo.example/payment/success?a=1#b')).toBe(
    'https://condo.example/payment/success?a=1&session_id={CHECKOUT_SESSION_ID}#b',
  )
})

test("allows only this site as return URL; the demo allows its machine's host names", () => {
  for (const elsewhere of [
    'https://elsewhere.example/',
    'http://condo.example/',
    'https://condo.example:444/',
    'https://condo.example.elsewhere.example/',
    'https://user@condo.example/',
    '//elsewhere.example/',
    'javascript:alert(1)',
    'data:text/html,x',
    'http://localhost/',
  ]) {
    expect(() => success(production, elsewhere), elsewhere).toThrow('on this site')
    expect(() => returnUrls(production, { cancelUrl: elsewhere }), elsewhere).toThrow('on this site')
  }
  expect(success(demo, 'http://127.0.0.1:3000/payment/success')).toContain('http://127.0.0.1:3000/')
  expect(() => success(demo, 'http://127.0.0.1:4000/payment/success')).toThrow('on this site')
})
