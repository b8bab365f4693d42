import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { renderLeasePdf } from '../../../server/workers/pdf/lease-pdf.ts'
import { pdfPages, pdfText } from '../../../testing/pdf-text.ts'
import { downloadLeasePdf } from './lease-pdf.ts'

const fonts = dirname(createRequire(import.meta.url).resolve('@expo-google-fonts/noto-serif/package.json'))
const started = process.cwd()
const fetched: string[] = []

// Outside a browser jsPDF saves to the working directory, so the tests use a temporary one.
beforeEach(() => {
  process.chdir(mkdtempSync(join(tmpdir(), 'lease-pdf-')))
  fetched.length = 0
  vi.stubGlobal('fetch', async (url: string) => {
    fetched.push(url)
    const file = basename(url)
    return new Response(readFileSync(join(fonts, file.replace(/^NotoSerif_(.*)\.ttf$/, '$1'), file)))
  })
})
afterEach(() => {
  process.chdir(started)
  vi.unstubAllGlobals()
})

const text = `1. PARTIES\n\n${'Юлія, Αγγελική and Zoë rent the condo. '.repeat(20)}\n\n- one\n- two\n`.repeat(
  8,
)

test('creates a PDF of the loaded text, named after the tenant [LEASE-19, LEASE-22]', async () => {
  expect(await downloadLeasePdf({ text, firstName: 'Юлія', lastName: 'Ґалаґан' })).toBe(true)
  const saved = readFileSync('lease-agreement-Юлія-Ґалаґан.pdf')
  expect(pdfText(saved).flat()[0]).toBe('Lease Agreement')
})

test('draws the same pages in the browser as on the server', async () => {
  await downloadLeasePdf({ text, firstName: 'A', lastName: 'B' })
  const onServer = pdfPages(renderLeasePdf({ text, createdAt: '2026-05-20T14:03:22.000Z' }))
  expect(pdfPages(readFileSync('lease-agreement-A-B.pdf'))).toEqual(onServer)
  expect(onServer.length).toBeGreaterThan(2)
})

test.each([undefined, '', ' \n '])(
  'fetches and saves nothing without lease text (%j) [LEASE-23]',
  async empty => {
    expect(await downloadLeasePdf({ text: empty, firstName: 'A', lastName: 'B' })).toBe(false)
    expect(fetched).toEqual([])
    expect(existsSync('lease-agreement-A-B.pdf')).toBe(false)
  },
)

test('rejects if a font cannot be loaded', async () => {
  vi.stubGlobal('fetch', async () => new Response('', { status: 502 }))
  await expect(downloadLeasePdf({ text, firstName: 'A', lastName: 'B' })).rejects.toThrow('502')
  expect(existsSync('lease-agreement-A-B.pdf')).toBe(false)
})
