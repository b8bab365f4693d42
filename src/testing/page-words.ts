/** The head of a rendered document, and all words of its body in their order, those of attributes too. */
export function readDocument(html: string): { head: string; words: string[] } {
  const [, head = '', body = ''] = /<head>(.*?)<\/head>.*?<body>(.*)<\/body>/s.exec(html) ?? []
  const words = body.replaceAll(/<script.*?<\/script>|<!--.*?-->/gs, '').replaceAll(/<[^>]*>/g, tag => {
    const named = [...tag.matchAll(/ (?:alt|title|placeholder|aria-label|href)="([^"]+)"/g)]
    return `\n${named.map(([, text]) => `${text}\n`).join('')}`
  })
  // A space that does not break a line reads as any other.
  return {
    head,
    words: words
      .replaceAll('\u00a0', ' ')
      .split('\n')
      .filter(line => line.trim() !== ''),
  }
}
