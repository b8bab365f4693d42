import { useState } from 'react'
import { isWordingKind, mailWordingKinds, wordingLabels } from '../../../../domain/content/wording.ts'
import { api } from '../../../api/api.ts'
import { readTabStorage, writeTabStorage } from '../../../forms/tab-storage.ts'
import { SelectField } from '../../../ui/choice-fields.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { MailEditor } from './mails/mail-editor.tsx'

const key = 'mailWording'

/** Edits the wordings of the e-mails to tenants. */
export function MailsTab() {
  const [kind, setKind] = useState(chosenBefore)
  const query = api.wordings.get.useQuery({ kind })
  return (
    <div className="grid grid-cols-1 gap-6">
      <SelectField
        label="Mail"
        className="max-w-md"
        value={kind}
        onChange={event => {
          writeTabStorage(key, event.target.value)
          setKind(event.target.value)
        }}
      >
        {mailWordingKinds.map(each => (
          <option key={each} value={each}>
            {wordingLabels[each]}
          </option>
        ))}
      </SelectField>
      <QueryView query={query} loading="Loading the mail..." error="Failed to load the mail">
        {({ wording }) => <MailEditor key={wording.kind} wording={wording} />}
      </QueryView>
    </div>
  )
}

function chosenBefore(): string {
  const kind = readTabStorage(key)
  return typeof kind === 'string' && kind !== 'lease' && isWordingKind(kind) ? kind : mailWordingKinds[0]
}
