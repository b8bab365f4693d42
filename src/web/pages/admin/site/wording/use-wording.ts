import { useState } from 'react'
import { wordingMessages } from '../../../../../domain/content/wording.ts'
import { api } from '../../../../api/api.ts'
import { conflictingVersionOf, failureOf, refusalOr } from '../../../../api/failures.ts'
import { useRefusal } from './use-refusal.ts'
import { useWordingDraft } from './use-wording-draft.ts'
import type { Wording, WordingBody } from './wording-data.ts'

/** A save that was refused because somebody else has saved in the meantime. */
type Conflict = { message: string; theirs: Wording; mine: WordingBody | null; note: string }
/** A save; without a body it restores the original wording. */
type Save = { version: number; body: WordingBody | null; note: string }

/**
 * Edits a wording with optimistic locking. Typed text survives a reload. A wording that somebody else has saved is
 * loaded automatically if nothing is typed; otherwise the save is refused.
 */
export function useWording(wording: Wording) {
  const { kind } = wording
  const utils = api.useUtils()
  const { draft, change, isDirty, replace, restored } = useWordingDraft(wording)
  const refusal = useRefusal(Object.keys(wording.body))
  const [conflict, setConflict] = useState<Conflict>()
  const [hasSaved, setHasSaved] = useState(false)
  const mutation = api.wordings.save.useMutation()

  const adopt = async (saved: Wording, sent?: WordingBody) => {
    // A fetch in flight would bring back the old wording.
    await utils.wordings.get.cancel({ kind })
    utils.wordings.get.setData({ kind }, { wording: saved })
    replace(saved, sent)
    setConflict(undefined)
    refusal.clear()
    void utils.wordings.versions.invalidate({ kind })
    void utils.wordings.list.invalidate()
  }
  const send = async ({ body, note, version }: Save): Promise<boolean> => {
    try {
      const { wording: saved } = await mutation.mutateAsync({ kind, version, body, note })
      await adopt(saved, body ?? undefined)
      setHasSaved(true)
      return true
    } catch (error) {
      const theirs = await storedAfter(error, () => utils.wordings.get.fetch({ kind }, { staleTime: 0 }))
      if (theirs) setConflict({ message: refusalOr(error, wordingMessages.stale), theirs, mine: body, note })
      else refusal.show(error, 'Failed to save the wording')
      return false
    }
  }
  return {
    wording,
    body: draft.body,
    /** Whether the shown text was typed before a reload and never saved. */
    restored,
    isDirty,
    isSaving: mutation.isPending,
    hasSaved: hasSaved && !isDirty,
    refusal,
    conflict,
    change: (body: WordingBody) => {
      change(body)
      setHasSaved(false)
    },
    discard: () => replace(wording),
    save: (note: string) => send({ ...draft, note }),
    backToOriginal: () => send({ version: draft.version, body: null, note: '' }),
    keepMine: async () =>
      conflict &&
      send({ version: conflict.theirs.version, body: conflict.mine && draft.body, note: conflict.note }),
    takeTheirs: async () => conflict && adopt(conflict.theirs),
  }
}
export type WordingEditor = ReturnType<typeof useWording>

/** The stored wording, if a save was refused because the stored one is newer. */
async function storedAfter(
  error: unknown,
  load: () => Promise<{ wording: Wording }>,
): Promise<Wording | undefined> {
  const failure = failureOf(error)
  if (failure.kind !== 'refused' || failure.status !== 409) return undefined
  return conflictingVersionOf<Wording>(error) ?? (await load().catch(() => undefined))?.wording
}
