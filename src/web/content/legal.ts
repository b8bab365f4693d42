/** A page of legal text. `{ownerEmail}` and the like are filled from the server's settings. */
export type LegalPage = {
  title: string
  intro: string
  sections: { title: string; paragraphs?: string[]; points?: string[] }[]
}

export const effectiveDate = 'September 2025'
