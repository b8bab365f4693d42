import { useRef, useState } from 'react'
import type { Rate } from '../../../../domain/rate.ts'

/** Which rate the form is open for; closed, it gives the focus back to what opened it. */
export function useRateEditor() {
  const [editing, setEditing] = useState<Rate | 'new'>()
  const opener = useRef<Element>(null)
  return {
    editing,
    open: (rate: Rate | 'new') => {
      opener.current = document.activeElement
      setEditing(rate)
    },
    close: () => {
      setEditing(undefined)
      const back = opener.current?.isConnected ? opener.current : document.getElementById('main')
      if (back instanceof HTMLElement) back.focus()
    },
    /** The form of a rate that is gone has nothing to give the focus back to. */
    forget: (rate: Rate) => {
      if (editing !== 'new' && editing?.id === rate.id) setEditing(undefined)
    },
  }
}
