import { Fragment } from 'react'

/** The site data that the public pages need. */
export type SiteFacts = {
  companyName: string
  propertyName: string
  propertyAddress: string
  ownerEmail: string
  ownerPhone: string
  /** In basis points. */
  cardFeeBasisPoints: number
  /** The date at the property, as YYYY-MM-DD. */
  today: string
}

/** `+1 (555) 010-0199` -> `tel:+15550100199` */
export function phoneHref(phone: string): string {
  return `tel:${phone.replace(/[^\d+]/g, '')}`
}

/** A text whose placeholders, like `{ownerEmail}`, are filled in; email and phone become links. */
export function TemplateText({ text, site }: { text: string; site: SiteFacts }) {
  return text.split(/(\{\w+\})/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a constant text keep their order
    <Fragment key={index}>{fillIn(part, site)}</Fragment>
  ))
}

function fillIn(part: string, site: SiteFacts) {
  switch (part) {
    case '{companyName}':
      return site.companyName
    case '{propertyName}':
      return site.propertyName
    case '{propertyAddress}':
      return site.propertyAddress
    case '{cardFee}':
      return `${site.cardFeeBasisPoints / 100}%`
    case '{ownerEmail}':
      return <EmailLink email={site.ownerEmail} />
    case '{ownerPhone}':
      return <PhoneLink phone={site.ownerPhone} />
    default:
      return part
  }
}

export function EmailLink({ email, className = 'link' }: { email: string; className?: string }) {
  return (
    <a href={`mailto:${email}`} className={`${className} [overflow-wrap:anywhere]`}>
      {email}
    </a>
  )
}

export function PhoneLink({ phone, className = 'link' }: { phone: string; className?: string }) {
  return (
    <a href={phoneHref(phone)} className={`${className} whitespace-nowrap`}>
      {phone}
    </a>
  )
}
