import { type ComponentType, useEffect, useState } from 'react'
import { answerStepUps } from '../../api/step-up.ts'
import type { StepUpDialogProps } from './step-up-dialog.tsx'

type Opened = { Dialog: ComponentType<StepUpDialogProps>; props: StepUpDialogProps }

/** Asks who it is where a call needs it (SAFE-17). The dialog is loaded for the first question. */
export function StepUpHost() {
  const [opened, setOpened] = useState<Opened>()
  useEffect(() => {
    let giveUp = () => {}
    const stop = answerStepUps(async question => {
      const dialog = await import('./step-up-dialog.tsx').catch(() => undefined)
      // Without its code nobody can be asked: the refusal is shown.
      if (!dialog) return false
      const answer = new Promise<boolean>((resolve, reject) => {
        giveUp = () => resolve(false)
        const props = { ...question, onProven: () => resolve(true), onGiveUp: giveUp, onEnded: reject }
        setOpened({ Dialog: dialog.StepUpDialog, props })
      })
      return answer.finally(() => setOpened(undefined))
    })
    return () => {
      stop()
      giveUp()
    }
  }, [])
  return opened && <opened.Dialog {...opened.props} />
}
