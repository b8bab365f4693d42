import type { jsPDF } from 'jspdf'
import { formatMoment } from '../../../domain/common/dates.ts'
import {
  bothTimes,
  type CertificateRow,
  type DrawnSignature,
  drawCertificate,
  drawFooters,
  drawSignatures,
  modeWords,
  shown,
} from './certificate-pages.ts'

/** A signature by an own link, with what its request said. Times are UTC ISO strings. */
type LinkSignature = DrawnSignature & {
  /** The signer's name in the document. */
  fullName: string
  /** The address to which the invitation went. */
  email: string
  signedAt: string
  consentVersion: string
  consentSentence: string
  /** The hashes that came with the signature; null where none came. */
  textSha256: string | null
  noticeSha256: string | null
  address: string
  userAgent: string
}

/** A document that each person signed by their own link, and the time of the last signature. */
export type SignedByLinks = {
  text: string
  heading: string
  applicationNumber: string
  landlordName: string
  propertyName: string
  /** The property's: times are shown in this zone and in UTC. */
  timeZone: string
  preparedAt: string
  signedAt: string
  signers: readonly LinkSignature[]
}
type Hashes = { text: string; images: readonly (string | undefined)[] }

/** Adds the pages with all signatures and the certificate, with an entry for each signer (SIGNER-12). */
export function drawSigningPages(pdf: jsPDF, signed: SignedByLinks, hashes: Hashes): void {
  const { applicationNumber, heading, signers, timeZone } = signed
  const last = formatMoment(signed.signedAt, timeZone)
  drawSignatures(
    pdf,
    `Signed electronically, the last time on ${last}. Application ${applicationNumber}.`,
    signers,
  )
  drawCertificate(pdf, [
    ['Landlord', signed.landlordName],
    ['Document', `${heading}, application ${applicationNumber}`],
    ['Property', signed.propertyName],
    ['Signed by all', ...bothTimes(signed.signedAt, timeZone)],
    ['Text prepared', ...bothTimes(signed.preparedAt, timeZone)],
    ['SHA-256 of the text', hashes.text],
    ...signers.flatMap((signer, i) => entryOf(signer, timeZone, hashes.images[i])),
  ])
  drawFooters(pdf, `${heading} ${applicationNumber}, signed electronically`)
}

function entryOf(signer: LinkSignature, timeZone: string, image: string | undefined): CertificateRow[] {
  const { noticeSha256, textSha256 } = signer
  return [
    [`${signer.title}: ${signer.fullName}`],
    ['Signature', `${signer.name}, ${modeWords[signer.mode]}`],
    ['Invited at', signer.email],
    ['Signed', ...bothTimes(signer.signedAt, timeZone)],
    [
      'Consent',
      ...(noticeSha256 === null ? ['The client did not confirm its words. Those in force were:'] : []),
      `“${signer.consentSentence}”`,
      `Version of the sentence: ${signer.consentVersion}`,
    ],
    ['Notice shown', shown('notice', noticeSha256 !== null), ...(noticeSha256 ? [noticeSha256] : [])],
    ['Text shown', shown('text', textSha256 !== null), ...(textSha256 ? [textSha256] : [])],
    ['Network address', signer.address],
    ['Browser', signer.userAgent.slice(0, 500)],
    ['Image', image ? `SHA-256 of the image: ${image}` : 'Set in type by the server'],
  ]
}
