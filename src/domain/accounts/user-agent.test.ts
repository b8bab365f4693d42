import { expect, test } from 'vitest'
import { browserFamily, describeBrowser } from './user-agent.ts'

const webKit = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const clients: [userAgent: string, words: string][] = [
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:147.0) Gecko/20100101 Firefox/147.0', 'Firefox on Windows'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:147.0) Gecko/20100101 Firefox/147.0', 'Firefox on Linux'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/153.0.0.0 Safari/537.36`, 'Chrome on Windows'],
  [`Mozilla/5.0 (Windows NT 10.0) ${webKit} Chrome/153.0.0.0 Safari/537.36 Edg/153.0.0.0`, 'Edge on Windows'],
  [`Mozilla/5.0 (X11; Linux x86_64) ${webKit} HeadlessChrome/153.0.0.0 Safari/537.36`, 'Chrome on Linux'],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${webKit} Chrome/153.0.0.0 Safari/537.36`, 'Chrome on ChromeOS'],
  [`Mozilla/5.0 (Linux; Android 10; K) ${webKit} Chrome/153.0.0.0 Mobile Safari/537.36`, 'Chrome on Android'],
  [
    `Mozilla/5.0 (Linux; Android 15; SM-S931B) ${webKit} SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36`,
    'Samsung Internet on Android',
  ],
  [
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webKit} Chrome/153.0.0.0 Safari/537.36 OPR/130.0`,
    'Opera on Mac',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15',
    'Safari on Mac',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Mobile/15E148 Safari/604.1',
    'Safari on iPhone',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/153.0 Mobile/15E148 Safari/604.1',
    'Chrome on iPhone',
  ],
  [
    'Mozilla/5.0 (iPad; CPU OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/147.0 Mobile/15E148 Safari/604.1',
    'Firefox on iPad',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
    'Safari on iPhone',
  ],
  ['curl/8.14.1', 'curl'],
  ['python-requests/2.32', 'python-requests'],
  ['PostmanRuntime/7.43.0', 'PostmanRuntime'],
  ['You-won-500-dollars-call-1-800-555-0100', 'Unknown browser'],
  ['Call-1-800-555-0100/1 curl/8.14.1', 'Unknown browser'],
  ['www.prize.example/1', 'Unknown browser'],
  ['Test Browser 1.0', 'Unknown browser'],
  ['Mozilla/5.0', 'Unknown browser'],
  ['', 'Unknown browser'],
  ['<img src=x onerror=alert(1)>', 'Unknown browser'],
]
test.each(clients)('%s is %s [SAFE-20]', (userAgent, words) => {
  expect(describeBrowser(userAgent)).toBe(words)
})

test('an update of the browser does not change its family [SAFE-22]', () => {
  const of = (version: number) =>
    `Mozilla/5.0 (Windows NT 10.0; rv:${version}.0) Gecko/20100101 Firefox/${version}.0`
  expect(browserFamily(of(147))).toBe(browserFamily(of(162)))
})

test('parses a user agent of any length quickly', () => {
  for (const hard of ['Version/1', 'iPhone ', 'a', ' Chrome', 'Mac OS '])
    expect(describeBrowser(`Mozilla/5.0 ${hard.repeat(200_000)}`).length).toBeLessThan(60)
})
