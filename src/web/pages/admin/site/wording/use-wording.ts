import { useEffect, useRef, useState } from 'react'
import type { FieldErrors } from '../../../../../domain/common/errors.ts'
import { isFields } from '../../../../../domain/common/same-body.ts'
import { api, type Outputs } from '../../../../api/api.ts'
import { conflictingVersionOf, failureOf, refusalOr } from '../../../../api/failures.ts'
import { toastFailure } from '../../../../forms/failure-toast.ts'
import { useUser } from '../../../../session/session.tsx'
import { browserCopy, createVersioned, failedSave, type SaveResult, useVersioned } from '../versioned.ts'

export type Wording = Outputs['wordings']['get']['wording']
export type WordingVersion = Outputs['wordings']['versions']['versions'][number]
/** A lease has a text; a mail has subject, title, greeting, text, next and button. */
export type WordingBody = Wording['body']
export type Placeholder = Wording['placeholders'][number]
export type WordingEditor = ReturnType<typeof useWording>

/** The labels of the fields. */
export const fieldNames: Record<string, string> = {
  subject: 'Subject',
  title: 'Title',
  greeting: 'Greeting',
  text: 'Text',
  next: 'What comes next',
  button: 'Button',
}

const failedText = 'Failed to save the wording'

/** Edits a wording, which is saved with a note when the owner asks for it. */
export function useWording(wording: Wording) {
  const { kind } = wording
  const { id: userId } = useUser()
  const utils = api.useUtils()
  const refusal = useRefusal(Object.keys(wording.body))
  const { isPending, mutateAsync } = api.wordings.save.useMutation()
  const note = useRef('')

  const show = async (saved: Wording) => {
    // A fetch in flight would bring back the old wording.
    await utils.wordings.get.cancel({ kind })
    utils.wordings.get.setData({ kind }, { wording: saved })
    void utils.wordings.versions.invalidate({ kind })
    void utils.wordings.list.invalidate()
  }
  const send = async (version: number, body: WordingBody | null): Promise<Wording> => {
    const { wording: saved } = await mutateAsync({ kind, version, body, note: note.current })
    await show(saved)
    refusal.clear()
    return saved
  }
  const save = async (version: number, body: WordingBody): Promise<SaveResult<Wording>> => {
    try {
      return { kind: 'saved', saved: await send(version, body) }
    } catch (error) {
      const result = failedSave<Wording>(error)
      if (result.kind === 'stale') await show(result.current)
      else refusal.show(error, failedText)
      return result
    }
  }
  const [draft] = useState(() =>
    createVersioned<Wording>({
      saved: wording,
      save,
      copy: browserCopy(`wording:${userId}:${kind}`),
      canShow: body => isBodyLike(body, wording.body),
      clean: body => body,
      autosave: false,
    }),
  )
  useEffect(() => draft.receive(wording), [draft, wording])
  const state = useVersioned(draft)
  return {
    ...state,
    draft,
    refusal,
    isSaving: isPending,
    change: (changes: WordingBody) => draft.change({ ...draft.state().body, ...changes }),
    save: (text: string) => {
      note.current = text
      return draft.save()
    },
    /** Saves the original wording as a new version. */
    backToOriginal: async () => {
      note.current = ''
      try {
        draft.reset(await send(draft.state().saved.version, null), 'saved')
      } catch (error) {
        const current = conflictingVersionOf<Wording>(error)
        if (current) draft.receive(current, true)
        toastFailure(error, failedText)
      }
    },
  }
}

/** Whether a value has the texts of the wording's fields, and nothing else. */
export const isBodyLike = (body: unknown, like: WordingBody): boolean =>
  isFields(body) &&
  Object.values(body).every(words => typeof words === 'string') &&
  Object.keys(body).toSorted().join() === Object.keys(like).toSorted().join()

/** The errors of the last refused save or sample, at their fields and above them. */
function useRefusal(fields: readonly string[]) {
  const [errors, setErrors] = useState<FieldErrors>({})
  const [formError, setFormError] = useState<string>()
  const [times, setTimes] = useState(0)
  return {
    errors,
    formError,
    /** How often errors were shown; each time the focus moves to them. */
    times,
    show: (error: unknown, fixedText: string) => {
      const failure = failureOf(error)
      const { atFields, elsewhere } = partitionErrors(
        failure.kind === 'refused' ? failure.fields : {},
        fields,
      )
      const isAtFields = Object.keys(atFields).length > 0
      setTimes(count => count + 1)
      setErrors(atFields)
      setFormError(elsewhere || (isAtFields ? undefined : refusalOr(error, fixedText)))
    },
    clear: () => {
      setErrors({})
      setFormError(undefined)
    },
    clearField: (field: string) => setErrors(({ [field]: _cleared, ...others }) => others),
  }
}

/** Separates the errors of fields that the editor shows from all others, which become one text. */
export function partitionErrors(errors: FieldErrors, fields: readonly string[]) {
  const entries = Object.entries(errors)
  return {
    atFields: Object.fromEntries(entries.filter(([field]) => fields.includes(field))),
    elsewhere: entries.flatMap(([field, sentence]) => (fields.includes(field) ? [] : [sentence])).join(' '),
  }
}
