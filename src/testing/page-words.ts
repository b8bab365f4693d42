/** The head of a rendered document, and the text lines of its body in order, including those in attributes. */
export function readDocument(html: string): { head: string; words: string[] } {
  const [, head = '', body = ''] = /<head>(.*?)<\/head>.*?<body>(.*)<\/body>/s.exec(html) ?? []
  const words = body.replaceAll(/<script.*?<\/script>|<!--.*?-->/gs, '').replaceAll(/<[^>]*>/g, tag => {
    const named = [...tag.matchAll(/ (?:alt|title|placeholder|aria-label|href)="([^"]+)"/g)]
    return `\n${named.map(([, text]) => `${text}\n`).join('')}`
  })
  // To a reader, a non-breaking space is a space.
  return {
    head,
    words: words
      .replaceAll('\u00a0', ' ')
      .split('\n')
      .filter(line => line.trim() !== ''),
  }
}
