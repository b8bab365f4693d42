import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  leaseEventLabel,
  leaseMoveSentence,
  leaseState,
  leaseStateLabels,
  movedLease,
  tenantRemovalError,
  uploadError,
} from './lease.ts'
import {
  consentDisclosure,
  consentSentence,
  consentVersion,
  maxSignatureBytes,
  noticeSha256,
  signingError,
  signingErrors,
  signingMode,
} from './lease-signing.ts'
import { signLeaseInput } from './lease-signing-form.ts'

const site = { companyName: 'Acme', ownerEmail: 'owner@acme.example', ownerPhone: '850-555-0142' }
const signing = (values: Record<string, unknown>) =>
  signLeaseInput.parse({ id: 'a', consent: true, ...values })

const dates = { leaseStartDate: '2026-06-01', leaseEndDate: '2026-07-01' }
test.each([
  [{}, 'Not Started'],
  [{ leaseStartDate: '2026-06-01', leaseEndDate: null }, 'Not Started'],
  [dates, 'Available to Sign'],
  [{ ...dates, signedLeaseFile: {} }, 'Signed'],
  [{ signedLeaseFile: {} }, 'Signed'],
  [{ ...dates, tenantSigned: true as const }, 'Partly signed'],
  [{ ...dates, status: 'approved' }, 'Available to Sign'],
  [{ ...dates, status: 'rejected' }, 'Not signed'],
  [{ ...dates, status: 'cancelled', tenantSigned: true as const }, 'Not signed'],
  [{ ...dates, status: 'cancelled', signedLeaseFile: {} }, 'Signed'],
  [{ status: 'cancelled' }, 'Not Started'],
])('a lease with %j is %s', (lease, label) => {
  expect(leaseStateLabels[leaseState(lease)]).toBe(label)
})

test('a tenant cannot remove a scan of a completed or cancelled stay', () => {
  const errorOf = (status: string) => tenantRemovalError({ status, signedBy: 'user_upload' })?.message
  expect(errorOf('approved')).toBeUndefined()
  expect(errorOf('completed')).toBe('This booking is complete, so its signed lease stays.')
  expect(errorOf('cancelled')).toBe('This stay was cancelled, so its signed lease stays.')
})

test.each([
  [undefined, 'Please select a file to upload'],
  [{ size: 10, type: 'text/html' }, 'Please upload a PDF, JPEG, or PNG file'],
  [{ size: 10_485_761, type: 'application/pdf' }, 'File size must be less than 10MB'],
  [{ size: 10_485_760, type: 'application/pdf' }, undefined],
  [{ size: 10, type: 'image/jpeg' }, undefined],
  [{ size: 10, type: 'image/png' }, undefined],
])('choosing %j for upload reports %s', (file, message) => {
  expect(uploadError(file)).toBe(message)
})

const lease = { start: '2026-06-05', end: '2026-07-12' }
const requested = { start: '2026-06-01', end: '2026-07-01' }
test.each([
  [requested, undefined],
  [{ ...requested, start: '2026-06-05' }, undefined],
  [
    { ...requested, start: '2026-06-03' },
    "The lease's start moves from Jun 5, 2026 to Jun 3, 2026; its end stays Jul 12, 2026.",
  ],
  [
    { ...requested, end: '2026-07-03' },
    "The lease's end moves from Jul 12, 2026 to Jul 3, 2026; its start stays Jun 5, 2026.",
  ],
  [
    { start: '2026-06-03', end: '2026-07-03' },
    "The lease's start moves from Jun 5, 2026 to Jun 3, 2026, and its end from Jul 12, 2026 to Jul 3, 2026.",
  ],
])('describes how a lease moves when %j is requested instead [FIX-15]', (after, sentence) => {
  expect(leaseMoveSentence(lease, movedLease(lease, requested, after))).toBe(sentence)
})

test.each([
  [{ mode: 'type' }, false, 'Please type your full name to sign.'],
  [{ mode: 'type', typedName: '  ' }, false, 'Please type your full name to sign.'],
  [{ mode: 'type', typedName: 'A B' }, true, 'Co-applicant must type their full name to sign.'],
  [{ mode: 'draw', typedName: 'A B' }, false, 'Please draw your signature before submitting.'],
  [
    { mode: 'draw', signatureImageBase64: 'x' },
    true,
    'Co-applicant must draw their signature before submitting.',
  ],
  [
    { mode: 'type', typedName: 'A B', consent: false },
    false,
    'Please provide consent to sign electronically.',
  ],
  [
    { mode: 'type', typedName: 'A B', consent: undefined },
    false,
    'Please provide consent to sign electronically.',
  ],
  [
    { mode: 'type', typedName: 'A B', typedName2: 'C D', consent2: false },
    true,
    'Co-applicant must provide consent to sign electronically.',
  ],
  [{ mode: 'type', typedName: 'A B', consent2: false }, false, undefined],
  [{ mode: 'type', typedName: 'A B', typedName2: 'C D', consent2: undefined }, true, undefined],
  [{ mode: 'type', typedName: 'A B' }, false, undefined],
  [{ mode: 'draw', signatureImageBase64: 'x', signatureImageBase64_2: 'y' }, true, undefined],
])('signing with %j, co-applicant %s, reports %s', (values, hasCoApplicant, message) => {
  expect(signingError(signing(values), hasCoApplicant)?.message).toBe(message)
})

test.each([
  [{ mode: 'type' }, true, ['consent', 'typedName', 'typedName2']],
  [{ mode: 'type' }, false, ['consent', 'typedName']],
  [{ mode: 'type', typedName: 'A B', consent: true }, true, ['typedName2']],
  [{ mode: 'draw' }, true, ['consent', 'signatureImageBase64', 'signatureImageBase64_2']],
  [{ mode: 'draw', consent: true, signatureImageBase64: 'x' }, false, []],
])('signing with %j, co-applicant %s, is missing %j [LOOK-31]', (values, hasCoApplicant, fields) => {
  const problems = signingErrors(signing({ consent: false, ...values }), hasCoApplicant)
  expect(problems.map(({ field }) => field)).toEqual(fields)
})

test.each([
  [{ typedName: 'A B', signatureImageBase64: 'x' }, 'type'],
  [{ typedName: '', signatureImageBase64: 'x' }, 'draw'],
  [{ typedName: null, signatureImageBase64_2: 'x' }, 'draw'],
  [{}, 'type'],
  [{ mode: 'draw' }, 'draw'],
])('%j without a mode counts as %s', (values, mode) => {
  expect(signingMode(signing(values))).toBe(mode)
})

test('limits the size of signatures and names, and accepts only true as consent', () => {
  const messages = (values: Record<string, unknown>) =>
    signLeaseInput.safeParse({ id: 'a', consent: true, ...values }).error?.issues.map(issue => issue.message)
  expect(messages({ signatureImageBase64: 'x'.repeat(maxSignatureBytes * 2) })).toEqual([
    'The signature could not be read. Please sign again.',
  ])
  expect(messages({ typedName: 'x'.repeat(201) })).toEqual(['Please use at most 200 characters'])
  expect(messages({ consent: 'true' })).toEqual(['Please provide consent to sign electronically.'])
})

test('the disclosure covers scope, paper, withdrawal, requirements and how to get a copy', () => {
  const sections = consentDisclosure(site)
  expect(sections.map(({ title }) => title)).toEqual([
    'What you agree to',
    'You may sign on paper instead',
    'You may withdraw your consent',
    'What you need to read and keep it',
    'How to get a copy',
  ])
  const text = sections.map(section => section.text).join('\n')
  for (const word of [site.companyName, site.ownerEmail, site.ownerPhone]) expect(text).toContain(word)
})

test('the notice hash covers its titles and texts and the consent sentence, one per line [FIX-14]', async () => {
  const lines = consentDisclosure(site).flatMap(({ title, text }) => [title, text])
  const words = [...lines, consentSentence].map(line => `${line}\n`).join('')
  expect(await noticeSha256(site)).toBe(createHash('sha256').update(words, 'utf8').digest('hex'))
  expect(await noticeSha256({ ...site, ownerPhone: '1' })).not.toBe(await noticeSha256(site))
})

test('the consent text matches the hash of its version', () => {
  // After changing the text, set a new consentVersion and add its hash here.
  const words = JSON.stringify([consentSentence, consentDisclosure(site)])
  const hashes = {
    '2026-11': 'bf5956f5f018ae16ce28e67ce730b1f0156dc07673c4f9306af8b8327de3a98c',
    '2026-12': '6df5bab452c4cb1f261cf96fd1d5475964e6ae41a3be5fd44dbf854c26639634',
  }
  expect(hashes).toHaveProperty([consentVersion], createHash('sha256').update(words).digest('hex'))
})

test('every lease event has a label', () => {
  expect(leaseEventLabel('lease.signed')).toBe('Lease signed in the app')
  expect(leaseEventLabel('lease.other')).toBe('lease.other')
  expect(leaseEventLabel('constructor')).toBe('constructor')
})
