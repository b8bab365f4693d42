import { useRef, useState } from 'react'
import type { Rate } from '../../../../domain/money/rate.ts'

/** Tracks for which rate the form is open. When the form closes, the focus returns to the element that opened it. */
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
    /** Closes the form of a deleted rate without moving the focus. */
    forget: (rate: Rate) => {
      if (editing !== 'new' && editing?.id === rate.id) setEditing(undefined)
    },
  }
}
