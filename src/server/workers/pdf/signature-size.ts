import {
  maxSignatureHeight,
  maxSignatureWidth,
  signatureTooLarge,
  signatureUnreadable,
} from '../../../domain/leases/lease-signing.ts'

/** PNG signature, and the header up to width and height. */
const headBytes = 24
const pngStart = /^89504e470d0a1a0a.{8}49484452/

/**
 * Why a signature image (data URL or base64) is rejected, judging by its first bytes; undefined if it is acceptable.
 */
export function signatureSizeError(text: string): string | undefined {
  const base64 = text.replace(/^data:image\/png;base64,/, '').slice(0, (headBytes / 3) * 4)
  const head = Buffer.from(base64, 'base64')
  if (head.length < headBytes || !pngStart.test(head.toString('hex'))) return signatureUnreadable
  const isTooLarge = head.readUInt32BE(16) > maxSignatureWidth || head.readUInt32BE(20) > maxSignatureHeight
  return isTooLarge ? signatureTooLarge : undefined
}
