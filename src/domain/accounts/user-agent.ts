// Only what people recognize: brand and system. Versions change with every update and do not identify a person.

/** In this order, because most browsers also name others. */
const browsers: readonly [name: string, pattern: RegExp][] = [
  ['Edge', /\b(?:Edg|Edge|EdgA|EdgiOS)\//],
  ['Opera', /\b(?:OPR|Opera|OPiOS|OPT)\b/],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Vivaldi', /\bVivaldi\//],
  ['DuckDuckGo', /\b(?:DuckDuckGo|Ddg)\//],
  ['Firefox', /\b(?:Firefox|FxiOS|Focus)\//],
  ['Chrome', /\b(?:Chrome|Chromium|CriOS|HeadlessChrome)\//],
  ['Safari', /\bVersion\/[\d.]+.*\bSafari\//],
  ['Safari', /\b(?:iPhone|iPad|Macintosh)\b.*\bAppleWebKit\//],
]
/** Programs without a browser that people recognize. */
const programs = /^(curl|Wget|HTTPie|PostmanRuntime|python-requests|Go-http-client|okhttp|axios|node)(?:\/|$)/
const systems: readonly [name: string, pattern: RegExp][] = [
  ['iPhone', /\biPhone\b|\biPod\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Mac', /\bMac ?OS ?X\b|\bMacintosh\b/],
  ['Linux', /\bLinux\b|\bX11\b/],
]
/** Longer user agents are cut off; everything relevant comes earlier. */
const maxLength = 500

/**
 * The brand of a browser, which updates do not change, or a well-known program, such as `curl`. Nothing of another name:
 * it is mailed, also to the address of somebody else.
 */
export function browserFamily(userAgent: string): string {
  const text = userAgent.slice(0, maxLength)
  return nameIn(browsers, text) ?? programs.exec(text)?.[1] ?? 'Unknown browser'
}

/** Browser and system in words, such as `Firefox on Windows`. The client can send any user agent. */
export function describeBrowser(userAgent: string): string {
  const system = nameIn(systems, userAgent.slice(0, maxLength))
  const browser = browserFamily(userAgent)
  return system === undefined ? browser : `${browser} on ${system}`
}

function nameIn(names: readonly [name: string, pattern: RegExp][], text: string): string | undefined {
  return names.find(([, pattern]) => pattern.test(text))?.[0]
}
