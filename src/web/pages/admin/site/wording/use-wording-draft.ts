import { useEffect, useMemo, useState } from 'react'
import { useUser } from '../../../../session/session.tsx'
import { browserCopy } from '../browser-copy.ts'
import {
  initialDraft,
  isSameBody,
  type Wording,
  type WordingBody,
  type WordingDraft,
} from './wording-data.ts'

/** The wording as typed, with a copy in this browser while it is not saved. */
export function useWordingDraft(wording: Wording) {
  const { id: userId } = useUser()
  const copy = useMemo(
    () => browserCopy<WordingDraft>(`wording:${userId}:${wording.kind}`),
    [userId, wording.kind],
  )
  const [{ body, restored, version }, setDraft] = useState(() => initialDraft(wording, copy.read()))
  const isDirty = !isSameBody(body, wording.body)
  if (!isDirty && wording.version > version)
    setDraft({ version: wording.version, body: wording.body, restored: false })
  useEffect(() => {
    if (isDirty) copy.write({ version, body })
    else copy.clear()
  }, [copy, version, body, isDirty])
  return {
    draft: { version, body },
    isDirty,
    restored: restored && isDirty,
    change: (changes: WordingBody) =>
      setDraft(current => ({ ...current, body: { ...current.body, ...changes } })),
    /** Continues with a saved wording; keeps what was typed since it was sent. */
    replace: (saved: Wording, sent?: WordingBody) => {
      // Also here, because the screen may unmount before the effect runs.
      copy.clear()
      setDraft(current => ({
        version: saved.version,
        body: sent && !isSameBody(current.body, sent) ? current.body : saved.body,
        restored: false,
      }))
    },
  }
}
