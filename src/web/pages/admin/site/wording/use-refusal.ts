import { useState } from 'react'
import type { FieldErrors } from '../../../../../domain/errors.ts'
import { failureOf, refusalOr } from '../../../../api/failures.ts'
import { sortFaults } from './wording-data.ts'

/** The errors of the last refused save or sample, at their fields and above them. */
export function useRefusal(fields: readonly string[]) {
  const [faults, setFaults] = useState<FieldErrors>({})
  const [formError, setFormError] = useState<string>()
  const [times, setTimes] = useState(0)
  return {
    faults,
    formError,
    /** How often errors were shown; each time the focus moves to them. */
    times,
    show: (error: unknown, fixedText: string) => {
      const failure = failureOf(error)
      const { atFields, elsewhere } = sortFaults(failure.kind === 'refused' ? failure.fields : {}, fields)
      const isAtFields = Object.keys(atFields).length > 0
      setTimes(count => count + 1)
      setFaults(atFields)
      setFormError(elsewhere || (isAtFields ? undefined : refusalOr(error, fixedText)))
    },
    clear: () => {
      setFaults({})
      setFormError(undefined)
    },
    clearField: (field: string) => setFaults(({ [field]: _cleared, ...others }) => others),
  }
}
