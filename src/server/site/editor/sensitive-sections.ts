import type { SiteContent } from '../../../domain/content/content.ts'
import type { WordsChange } from '../../auth/factors/sensitive-words.ts'

type Compared = { before: SiteContent; after: SiteContent }

/**
 * What changed in the words by which tenants reach and pay the owner, and in those that they agree to. The owner
 * gets a mail about them (SITE-23). Placeholders in the ways to pay and the
 * lease show the names and the address, too.
 */
export function sensitiveChanges({ after, before }: Compared): WordsChange[] {
  const [old, now] = [textsOf(before), textsOf(after)]
  return Object.entries(now)
    .map(([label, text]) => ({ label, before: old[label] ?? '', after: text }))
    .filter(change => change.before !== change.after)
}

const textsOf = ({
  contact,
  houseRules,
  identity,
  privacy,
  terms,
  waysToPay,
}: SiteContent): Record<string, string> => ({
  Company: identity.companyName,
  Property: identity.propertyName,
  Address: identity.propertyAddress,
  'E-mail': identity.ownerEmail,
  Phone: identity.ownerPhone,
  'Ways to pay':
    waysToPay.ways.map(({ instructions, name }) => `${name}: ${instructions}`).join('\n') || 'None',
  'Contact page': [contact.text, contact.directTitle, contact.directText].join('\n'),
  'House rules': houseRules.rules.join('\n'),
  Privacy: legalText(privacy),
  Terms: legalText(terms),
})

const legalText = ({ effective, intro, text }: SiteContent['terms']) => [effective, intro, text].join('\n')
