import type { FieldErrors } from '../../../../domain/common/errors.ts'
import { CardBody } from '../../../ui/card.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { ConflictNotice } from './conflict-notice.tsx'
import type { DraftState, SectionDraft } from './section-draft.ts'
import type { SectionForm } from './section-form.ts'
import { sectionForms } from './sections/section-forms.tsx'

type SectionBodyProps = {
  draft: SectionDraft
  state: DraftState
  /** The errors by path within the section. */
  errors: FieldErrors
  /** Called after one of two conflicting versions was chosen. */
  onChosen: () => void
  onClose: () => void
}

/** The form of a section, below its notices. */
export function SectionBody({ draft, state, errors, onChosen }: SectionBodyProps) {
  const { name } = draft
  const Form = sectionForms[name] as SectionForm<typeof name>
  return (
    <CardBody className="grid gap-5">
      {state.theirs && (
        <ConflictNotice draft={draft} mine={state.body} theirs={state.theirs} onChosen={onChosen} />
      )}
      {state.restored && !state.theirs && (
        <p className="text-muted">These words were not saved on your last visit. They are back.</p>
      )}
      <FormError>{Object.keys(state.errors).length === 0 ? state.message : undefined}</FormError>
      <Form body={state.body} onChange={draft.change} onLeave={draft.leave} errors={errors} />
    </CardBody>
  )
}
