import { AreaPage } from '../area.tsx'
import { SectionEditor } from './content-editor.tsx'
import { IdentityForm } from './sections/owner-forms.tsx'

/** The names and addresses on all pages, leases and emails. */
export function NameAndContactPage() {
  return (
    <AreaPage area="site" subtitle="On your public pages, in leases and in emails">
      <SectionEditor name="identity" Form={IdentityForm} preview />
    </AreaPage>
  )
}
