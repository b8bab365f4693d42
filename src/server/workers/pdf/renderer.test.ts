import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test, vi } from 'vitest'
import { projectRoot } from '../../../../db/project-root.ts'
import { signatureDataUrl } from '../../../testing/png.ts'
import { sha256 } from '../../lib/sha256.ts'
import { renderLeasePdf } from './lease-pdf.ts'
import { createRenderer } from './renderer.ts'
import { readSignatureImage } from './signature-image.ts'

const lease = { text: 'LEASE\n\n1. PARTIES\nBetween one and another.', createdAt: '2026-05-20T14:03:22.000Z' }

test('renders the same bytes in its thread as on the main thread, and decodes the same image [FIX-19]', async () => {
  const renderer = createRenderer()
  try {
    expect(await renderer.leasePdf(lease)).toEqual(renderLeasePdf(lease))
    expect(await renderer.signatureImage(signatureDataUrl())).toEqual(readSignatureImage(signatureDataUrl()))
    await expect(renderer.signatureImage('no picture')).rejects.toMatchObject({ code: 'bad_request' })
  } finally {
    await renderer.close()
  }
})

test('keeps the event loop free while rendering [FIX-19]', async () => {
  const renderer = createRenderer()
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  try {
    await renderer.leasePdf(lease)
    turns = 0
    const long = { ...lease, text: 'All work and no play makes a dull lease. '.repeat(1000) }
    expect((await renderer.leasePdf(long)).length).toBeGreaterThan(10_000)
    // Rendering on this thread would allow no turn at all.
    expect(turns).toBeGreaterThan(2)
  } finally {
    clearInterval(timer)
    await renderer.close()
  }
})

test('works under tsx, as in `npm run dev` [FIX-19]', async () => {
  const program = `
    import('./src/server/workers/pdf/renderer.ts').then(async ({ createRenderer }) => {
      const renderer = createRenderer()
      const pdf = await renderer.leasePdf(${JSON.stringify(lease)})
      console.log(require('node:crypto').createHash('sha256').update(pdf).digest('hex'))
      await renderer.close()
    })`
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(projectRoot, 'node_modules/tsx/dist/cli.mjs'), '--eval', program],
    { cwd: projectRoot },
  )
  expect(stdout.trim()).toBe(sha256(renderLeasePdf(lease)))
})

test('does not load the PDF library on the main thread [FIX-19]', async () => {
  const loaded = vi.fn()
  // An earlier test file in the same worker may have loaded both modules.
  vi.resetModules()
  vi.doMock('jspdf', () => {
    loaded()
    return {}
  })
  await import('../../http/app.ts')
  expect(loaded).not.toHaveBeenCalled()
  vi.doUnmock('jspdf')
})
