import {
  maxSignatureHeight,
  maxSignatureWidth,
  signatureTooLarge,
  signatureUnreadable,
} from '../../domain/lease-signing.ts'

/** A PNG begins with its mark and the header with its size in pixels. */
const headBytes = 24
const pngStart = /^89504e470d0a1a0a.{8}49484452/

/** What is wrong with a signature image, as a data URL or bare base64, by its first bytes: nothing is decoded. */
export function signatureSizeProblem(text: string): string | undefined {
  const base64 = text.replace(/^data:image\/png;base64,/, '').slice(0, (headBytes / 3) * 4)
  const head = Buffer.from(base64, 'base64')
  if (head.length < headBytes || !pngStart.test(head.toString('hex'))) return signatureUnreadable
  const isTooLarge = head.readUInt32BE(16) > maxSignatureWidth || head.readUInt32BE(20) > maxSignatureHeight
  return isTooLarge ? signatureTooLarge : undefined
}
