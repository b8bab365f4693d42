import { type ComponentType, useEffect, useState } from 'react'
import { registerStepUpHandler } from '../../api/step-up.ts'
import type { StepUpDialogProps } from './step-up-dialog.tsx'

type Opened = { Dialog: ComponentType<StepUpDialogProps>; props: StepUpDialogProps }

/** Opens the step-up dialog when a call requires one (SAFE-17). The dialog's code is loaded on first use. */
export function StepUpHost() {
  const [opened, setOpened] = useState<Opened>()
  useEffect(() => {
    let giveUp = () => {}
    const stop = registerStepUpHandler(async prompt => {
      const dialog = await import('./step-up-dialog.tsx').catch(() => undefined)
      // If the code could not be loaded, the call's refusal is shown.
      if (!dialog) return false
      const answer = new Promise<boolean>((resolve, reject) => {
        giveUp = () => resolve(false)
        const props = { ...prompt, onProven: () => resolve(true), onGiveUp: giveUp, onEnded: reject }
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
