import { useState } from 'react'
import type { FieldErrors } from '../../../../../domain/common/errors.ts'
import { failureOf, refusalOr } from '../../../../api/failures.ts'
import { partitionErrors } from './wording-data.ts'

/** The errors of the last refused save or sample, at their fields and above them. */
export function useRefusal(fields: readonly string[]) {
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
