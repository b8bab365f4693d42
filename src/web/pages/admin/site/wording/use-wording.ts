import { TRPCClientError } from '@trpc/client'
import { useEffect, useState } from 'react'
import { wordingMessages } from '../../../../../domain/wording.ts'
import { api, failureOf, refusalOr } from '../../../../api/api.ts'
import { keepCopy, readCopy } from './wording-copy.ts'
import {
  isSameBody,
  sortFaults,
  startOf,
  type Typed,
  type Wording,
  type WordingBody,
} from './wording-data.ts'

/** A save that was refused because somebody else saved meanwhile. */
export type Clash = { message: string; theirs: Wording; mine: WordingBody | null; note: string }
type Save = { version: number; body: WordingBody | null; note: string }

/**
 * Edits a wording over the version that was read. What is typed outlives a reload; what somebody else saves meanwhile
 * comes in by itself where nothing is typed, and else refuses the save.
 */
export function useWording(wording: Wording) {
  const { kind } = wording
  const utils = api.useUtils()
  const [{ restored, ...typed }, setTyped] = useState(() => startOf(wording, readCopy(kind)))
  const [faults, setFaults] = useState<Record<string, string>>({})
  const [formError, setFormError] = useState<string>()
  const [clash, setClash] = useState<Clash>()
  const [hasSaved, setHasSaved] = useState(false)
  const isDirty = !isSameBody(typed.body, wording.body)
  useKeptCopy(kind, isDirty ? typed : undefined)
  if (!isDirty && wording.version > typed.version)
    setTyped({ version: wording.version, body: wording.body, restored: false })

  const change = (body: WordingBody) => {
    setTyped(current => ({ ...current, body: { ...current.body, ...body } }))
    setHasSaved(false)
  }
  const showFailure = (error: unknown, fixedText: string) => {
    const failure = failureOf(error)
    const { atFields, elsewhere } = sortFaults(
      failure.kind === 'refused' ? failure.fields : {},
      Object.keys(wording.body),
    )
    const isAtFields = Object.keys(atFields).length > 0
    setFaults(atFields)
    setFormError(elsewhere || (isAtFields ? undefined : refusalOr(error, fixedText)))
  }
  const adopt = async (saved: Wording, replaces: WordingBody | null) => {
    // A reading that is on its way would bring back what was there before.
    await utils.wordings.get.cancel({ kind })
    utils.wordings.get.setData({ kind }, { wording: saved })
    setTyped(({ body }) => ({
      version: saved.version,
      body: replaces === null || isSameBody(body, replaces) ? saved.body : body,
      restored: false,
    }))
    // Here too: the screen may be gone by the time of the answer.
    keepCopy(kind, undefined)
    setClash(undefined)
    setFaults({})
    setFormError(undefined)
    void utils.wordings.versions.invalidate({ kind })
    void utils.wordings.list.invalidate()
  }
  const mutation = api.wordings.save.useMutation()
  const send = async ({ body, note, version }: Save): Promise<boolean> => {
    setFormError(undefined)
    try {
      const { wording: saved } = await mutation.mutateAsync({ kind, version, body, note })
      await adopt(saved, body)
      setHasSaved(true)
      return true
    } catch (error) {
      const theirs = await storedAfter(error, () => utils.wordings.get.fetch({ kind }, { staleTime: 0 }))
      if (theirs) setClash({ message: refusalOr(error, wordingMessages.stale), theirs, mine: body, note })
      else showFailure(error, 'Failed to save the wording')
      return false
    }
  }
  return {
    wording,
    body: typed.body,
    /** Whether what is shown was typed before a reload and never saved. */
    restored: restored && isDirty,
    isDirty,
    isSaving: mutation.isPending,
    hasSaved: hasSaved && !isDirty,
    faults,
    formError,
    clash,
    change,
    clearFault: (field: string) => setFaults(({ [field]: _gone, ...others }) => others),
    clearFaults: () => {
      setFaults({})
      setFormError(undefined)
    },
    showFailure,
    discard: () => setTyped({ version: wording.version, body: wording.body, restored: false }),
    save: (note: string) => send({ version: typed.version, body: typed.body, note }),
    backToOriginal: () => send({ version: typed.version, body: null, note: '' }),
    keepMine: async () =>
      clash !== undefined &&
      send({ version: clash.theirs.version, body: clash.mine && typed.body, note: clash.note }),
    takeTheirs: async () => clash && adopt(clash.theirs, null),
  }
}
export type WordingEditor = ReturnType<typeof useWording>

function useKeptCopy(kind: string, typed: Typed | undefined) {
  const version = typed?.version
  const body = typed?.body
  useEffect(() => {
    keepCopy(kind, version !== undefined && body ? { version, body } : undefined)
  }, [kind, version, body])
}

/** What is stored, where a save was refused because it is newer. */
async function storedAfter(
  error: unknown,
  load: () => Promise<{ wording: Wording }>,
): Promise<Wording | undefined> {
  const failure = failureOf(error)
  if (failure.kind !== 'refused' || failure.status !== 409) return undefined
  const current =
    error instanceof TRPCClientError ? (error.data as { current?: Wording } | null)?.current : undefined
  return current ?? (await load().catch(() => undefined))?.wording
}
