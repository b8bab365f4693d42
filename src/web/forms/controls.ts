import { valueAt, withParents } from './path.ts'

export type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** The uncontrolled inputs of a form, by field name. */
export function makeControls() {
  const names = new Map<Control, string>()
  const known = new WeakSet<Control>()
  return {
    /** Returns whether the input is new; the input of a row that moved up is not. */
    add: (name: string, control: Control): boolean => {
      const isNew = !known.has(control)
      known.add(control)
      names.set(control, name)
      return isNew
    },
    remove: (name: string, control: Control): void => {
      if (names.get(control) === name) names.delete(control)
    },
    /** Writes the values to all inputs, or to those of one field or list. */
    write: (values: unknown, part?: string): void => {
      for (const [control, name] of names)
        if (part === undefined || withParents(name).includes(part))
          writeControl(control, valueAt(values, name))
    },
    /** Focuses the first of these fields in document order. */
    focusFirst: (isWanted: (name: string) => boolean, { shouldSelect = false } = {}): void => {
      const [first] = [...names]
        .flatMap(([control, name]) => (isWanted(name) ? [control] : []))
        .toSorted((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1))
      first?.focus()
      if (shouldSelect && first instanceof HTMLInputElement) first.select()
    },
  }
}

/** Undefined for a radio button that is not checked. */
export function readControl(control: Control): string | boolean | undefined {
  const tick = tickOf(control)
  if (tick?.type === 'checkbox') return tick.checked
  return tick && !tick.checked ? undefined : control.value
}

export function writeControl(control: Control, value: unknown): void {
  const tick = tickOf(control)
  if (tick) tick.checked = tick.type === 'checkbox' ? value === true : tick.value === value
  else control.value = value === undefined || value === null || Number.isNaN(value) ? '' : String(value)
}

const tickOf = (control: Control) =>
  control instanceof HTMLInputElement && ['checkbox', 'radio'].includes(control.type) ? control : undefined
