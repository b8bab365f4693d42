import { inflateSync } from 'node:zlib'

/**
 * The text of each page of a jsPDF document, line by line in drawing order. Maps glyph numbers through the fonts'
 * ToUnicode maps, as a PDF viewer's search does. All fonts must use the same glyph numbers.
 */
export function pdfText(bytes: Uint8Array): string[][] {
  const streams = pdfStreams(bytes)
  const letters = new Map(
    streams
      .filter(stream => stream.includes('begincmap'))
      .flatMap(cmap => [...cmap.matchAll(/^<([\da-f]{4})><([\da-f]{4})>$/gim)])
      .map(([, glyph = '', code = '']) => [
        glyph.toLowerCase(),
        String.fromCharCode(Number.parseInt(code, 16)),
      ]),
  )
  return streams
    .filter(isPage)
    .map(page =>
      [...page.matchAll(/<([\da-f]+)> Tj/gi)].map(([, hex = '']) =>
        [...hex.matchAll(/.{4}/g)].map(([glyph]) => letters.get(glyph.toLowerCase()) ?? '\uFFFD').join(''),
      ),
    )
}

/** The PDF drawing operators of each page. */
export function pdfPages(bytes: Uint8Array): string[] {
  return pdfStreams(bytes).filter(isPage)
}

const isPage = (stream: string): boolean => / Tj\b/.test(stream) && !stream.includes('begincmap')

function pdfStreams(bytes: Uint8Array): string[] {
  const pdf = Buffer.from(bytes).toString('latin1')
  return [...pdf.matchAll(/ obj\n([\s\S]{0,500}?)\nstream\n/g)].map(
    ({ 0: { length }, 1: dictionary = '', index }) => {
      const start = index + length
      const data = Buffer.from(
        pdf.slice(start, start + Number(dictionary.match(/\/Length (\d+)/)?.[1])),
        'latin1',
      )
      return (dictionary.includes('/FlateDecode') ? inflateSync(data) : data).toString('latin1')
    },
  )
}
