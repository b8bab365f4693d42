import { leaseMessages } from './lease.ts'
import type { SignerRole } from './signing.ts'

/** Stored with each signature. Must change with every change of the disclosure or the consent sentence. */
export const consentVersion = '2026-12'

/** The label of the consent checkbox. */
export const consentSentence =
  'I have read the lease and the notice about electronic records and signatures, and I agree to sign this lease electronically.'
/** The documents that are signed in the app. */
export type SignedDocument = 'lease' | 'addendum'
export const consentSentenceOf = (document: SignedDocument): string =>
  consentSentence.replace('read the lease', `read the ${document}`).replace('this lease', `this ${document}`)

type ConsentSection = { title: string; text: string }

type ConsentSite = { companyName: string; ownerEmail: string; ownerPhone: string }

/** The disclosure that a signer reads before consenting. */
export function consentDisclosure(site: ConsentSite, document: SignedDocument = 'lease'): ConsentSection[] {
  const sections = leaseDisclosure(site)
  if (document === 'lease') return sections
  return sections.map(({ text, title }) => ({
    title,
    text: text.replaceAll('Sign Lease', 'Sign addendum').replaceAll('lease', 'addendum'),
  }))
}

function leaseDisclosure(site: ConsentSite): ConsentSection[] {
  const contact = `${site.ownerEmail} or ${site.ownerPhone}`
  return [
    {
      title: 'What you agree to',
      text: `Your electronic signature binds you as a signature by hand does. Your consent covers this lease alone, and the copies of it that ${site.companyName} sends you: no other document, and no later change of the lease.`,
    },
    {
      title: 'You may sign on paper instead',
      text: `You need not sign electronically. Print the lease, sign it by hand and upload a scan of it here, or ask for a paper lease at ${contact}. That costs nothing, and it does not make your booking worse.`,
    },
    {
      title: 'You may withdraw your consent',
      text: `Until you press Sign Lease, close this window. Afterwards, write to ${contact} to withdraw your consent to electronic records; there is no fee. From then on you receive your records on paper. What you signed before stays in force.`,
    },
    {
      title: 'What you need to read and keep it',
      text: 'A device with a current web browser, a program that opens PDF files, an email account, and a printer or room for the file if you want to keep it. If you can read this window and open the preview of the lease, you have what it takes.',
    },
    {
      title: 'How to get a copy',
      text: `The signed lease is sent as a PDF to the email address of your account, and you can open it here, with your application, at any time. A co-applicant whose email address is entered here gets the same PDF. For a paper copy, free of charge, or to tell us of a new email address, write to ${contact}.`,
    },
  ]
}

/** What a guarantor signs; printed at the signature too (SIGNER-17). */
export const guaranteeSentence =
  'You answer, besides the Tenant, for all that the Tenant owes under this lease.'

/** Whose signature it is, as the signed document prints it. */
export const signerTitles: Record<SignerRole, string> = {
  tenant: 'Tenant',
  co_tenant: 'Co-tenant',
  occupant: 'Adult occupant',
  guarantor: 'Guarantor',
  owner: 'Landlord',
}

/**
 * The disclosure for a person who signs by their own link. The tenant and the owner read the usual one. The others have no
 * account, so theirs says differently how to sign on paper and how to get a copy.
 */
export function signerNotice(
  site: ConsentSite,
  role: SignerRole,
  document: SignedDocument,
): ConsentSection[] {
  const contact = `${site.ownerEmail} or ${site.ownerPhone}`
  const sections = consentDisclosure(site, document)
  const ofLink = ({ title, text }: ConsentSection): ConsentSection => {
    const own = ownWays(title, contact)
    return { title, text: own ? forDocument(own, document) : text }
  }
  const words = role === 'tenant' || role === 'owner' ? sections : sections.map(ofLink)
  const guarantee = { title: 'What you guarantee', text: guaranteeSentence }
  return role === 'guarantor' ? [guarantee, ...words] : words
}

const ownWays = (title: string, contact: string): string | undefined =>
  ({
    'You may sign on paper instead': `You need not sign electronically. Print the lease, sign it by hand and send it, or ask for a paper lease at ${contact}. That costs nothing, and it does not make the booking worse.`,
    'You may withdraw your consent': `Until you press Sign, close this page. Afterwards, write to ${contact} to withdraw your consent to electronic records; there is no fee. From then on you receive your records on paper. What you signed before stays in force.`,
    'What you need to read and keep it':
      'A device with a current web browser, a program that opens PDF files, an email account, and a printer or room for the file if you want to keep it. If you can read this page and open the download of the lease, you have what it takes.',
    'How to get a copy': `Once everybody has signed, the signed lease is sent as a PDF to the email address to which your invitation went, and for thirty days more you can open it by your link. For a paper copy, free of charge, or to tell us of a new email address, write to ${contact}.`,
  })[title]

const forDocument = (text: string, document: SignedDocument): string =>
  document === 'lease' ? text : text.replaceAll(/\blease\b/g, document)

/** The notice and consent sentence with their hash. Browsers can hash only in a secure context. */
export async function noticeFor(site: ConsentSite, document: SignedDocument, role: SignerRole = 'tenant') {
  const [notice, consentSentence] = [signerNotice(site, role, document), consentSentenceOf(document)]
  return { notice, consentSentence, noticeSha256: await hashOfNotice(notice, consentSentence) }
}

export const noticeSha256 = async (site: ConsentSite): Promise<string> =>
  (await noticeFor(site, 'lease')).noticeSha256

/**
 * Lower-case hex SHA-256 of a notice's titles and texts and the consent sentence, each followed by a line feed, in UTF-8.
 */
export async function hashOfNotice(notice: readonly ConsentSection[], sentence: string): Promise<string> {
  const lines = [...notice.flatMap(({ title, text }) => [title, text]), sentence]
  const bytes = new TextEncoder().encode(lines.map(line => `${line}\n`).join(''))
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(digest, byte => byte.toString(16).padStart(2, '0')).join('')
}

/** Maximum size of a signature image: bytes of the PNG, and pixels. */
export const maxSignatureBytes = 500 * 1024
export const maxSignatureWidth = 1200
export const maxSignatureHeight = 400
export const signatureUnreadable = 'The signature could not be read. Please sign again.'
export const signatureTooLarge = `A signature is at most ${maxSignatureWidth} × ${maxSignatureHeight} pixels large. Please sign again.`

/** What the signers have entered so far. */
export type SignatureInput = {
  mode?: 'type' | 'draw' | undefined
  typedName: string
  typedName2?: string
  signatureImageBase64: string
  signatureImageBase64_2?: string
  consent: boolean
  consent2?: boolean | undefined
  coApplicantEmail?: string | null | undefined
}

/** Whether the names are typed or the signatures drawn. */
export function signingMode(signing: SignatureInput): 'type' | 'draw' {
  if (signing.mode) return signing.mode
  const typed = signing.typedName || signing.typedName2
  return typed || !(signing.signatureImageBase64 || signing.signatureImageBase64_2) ? 'type' : 'draw'
}

type SigningError = { field: keyof SignatureInput; message: string }

/** Everything that a signature is missing, consents first. */
export function signingErrors(signing: SignatureInput, hasCoApplicant: boolean): SigningError[] {
  const isDrawn = signingMode(signing) === 'draw'
  const needed: SigningError[] = [
    { field: 'consent', message: leaseMessages.consentMissing },
    isDrawn
      ? { field: 'signatureImageBase64', message: leaseMessages.drawMissing }
      : { field: 'typedName', message: leaseMessages.nameMissing },
  ]
  // Optional over REST; the screen always sends it.
  if (hasCoApplicant && signing.consent2 !== undefined)
    needed.splice(1, 0, { field: 'consent2', message: leaseMessages.consentMissing2 })
  if (hasCoApplicant)
    needed.push(
      isDrawn
        ? { field: 'signatureImageBase64_2', message: leaseMessages.drawMissing2 }
        : { field: 'typedName2', message: leaseMessages.nameMissing2 },
    )
  return needed.filter(({ field }) => !signing[field])
}

export function signingError(signing: SignatureInput, hasCoApplicant: boolean): SigningError | undefined {
  return signingErrors(signing, hasCoApplicant)[0]
}
