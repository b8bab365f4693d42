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
