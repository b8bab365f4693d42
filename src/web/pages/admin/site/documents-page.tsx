import { lazy, Suspense } from 'react'
import { useSearchParams } from 'wouter'
import {
  documentKinds,
  isWordingKind,
  mailWordingKinds,
  wordingLabels,
} from '../../../../domain/content/wording.ts'
import { api } from '../../../api/api.ts'
import { SelectField } from '../../../ui/choice-fields.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { AreaPage } from '../area.tsx'
import { WordingForm } from './wording-form.tsx'

const SigningCard = lazy(() => import('../settings/signing-card.tsx').then(m => ({ default: m.SigningCard })))

/** The wording of the lease and of the emails to guests. */
export function DocumentsPage() {
  const [address, setAddress] = useSearchParams()
  const asked = address.get('kind') ?? 'lease'
  const isSigning = asked === 'signing'
  const kind = isWordingKind(asked) ? asked : 'lease'
  // Loaded once and then edited: a later version is told by saving.
  const query = api.wordings.get.useQuery({ kind }, { gcTime: 0, staleTime: Number.POSITIVE_INFINITY })
  return (
    <AreaPage area="site" subtitle="The words of your lease and of the emails to your guests">
      <div className="grid grid-cols-1 gap-6">
        <SelectField
          label="Document or email"
          className="max-w-md"
          value={isSigning ? asked : kind}
          onChange={event => setAddress({ kind: event.target.value }, { replace: true })}
        >
          {documentKinds.map(each => (
            <option key={each} value={each}>
              {wordingLabels[each]}
            </option>
          ))}
          <option value="signing">Signing the lease</option>
          <optgroup label="Emails to guests">
            {mailWordingKinds.map(each => (
              <option key={each} value={each}>
                {wordingLabels[each]}
              </option>
            ))}
          </optgroup>
        </SelectField>
        {isSigning ? (
          <Suspense>
            <SigningCard />
          </Suspense>
        ) : (
          <QueryView query={query} loading="Loading the wording..." error="Failed to load the wording">
            {({ wording }) => <WordingForm key={wording.kind} loaded={wording} />}
          </QueryView>
        )}
      </div>
    </AreaPage>
  )
}
