/** What the public pages need of the server's site data. */
export type SiteFacts = {
  companyName: string
  propertyName: string
  propertyAddress: string
  ownerEmail: string
  ownerPhone: string
  /** In hundredths of a percent. */
  cardFeeBasisPoints: number
  /** The date at the property, YYYY-MM-DD. */
  today: string
}

/** `+1 (555) 010-0199` -> `tel:+15550100199` */
export function phoneHref(phone: string): string {
  return `tel:${phone.replace(/[^\d+]/g, '')}`
}
