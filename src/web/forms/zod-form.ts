import {
  type ChangeEvent,
  createContext,
  type FocusEvent,
  type SyntheticEvent,
  use,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import type { z } from 'zod'
import type { FieldErrors } from '../../domain/common/errors.ts'
import { type Control, makeControls, readControl, writeControl } from './controls.ts'
import { type FormState, makeFormState } from './form-state.ts'
import { watchInteraction } from './interaction-watch.ts'
import { type Path, valueAt, withParents } from './path.ts'

type Mode = 'onSubmit' | 'onTouched'
type ZodSchema<Values, Output> = z.ZodType<Output, Values>
/** A schema; or a function that returns one, called for each validation. Public pages load theirs there. */
type Schema<Values, Output> =
  | ZodSchema<Values, Output>
  | (() => ZodSchema<Values, Output> | Promise<ZodSchema<Values, Output>>)
type Parse<Values, Output> = (values: Values) => Promise<z.ZodSafeParseResult<Output>>

export type ZodForm<Values extends object, Output = unknown> = Actions<Values, Output> & {
  errors: FieldErrors
  isSubmitting: boolean
  /** Whether a value differs from its initial one. */
  isDirty: boolean
}
type Actions<Values extends object, Output> = ReturnType<typeof actionsOf<Values, Output>>

/** A form validated by its shared schema: on submit, then on each change. */
export function useZodForm<Values extends object, Output>(
  schema: Schema<Values, Output>,
  initialValues: NoInfer<Partial<Values>>,
  mode: Mode = 'onSubmit',
): ZodForm<Values, Output> {
  const [state] = useState(() => makeFormState(initialValues as Values))
  const latest = useRef(schema)
  useEffect(() => {
    latest.current = schema
  })
  const [actions] = useState(() => {
    const parse = async (values: Values) => {
      const schema = latest.current
      return (typeof schema === 'function' ? await schema() : schema).safeParseAsync(values)
    }
    return actionsOf(state, parse, mode)
  })
  return { ...actions, ...useSyncExternalStore(state.subscribe, state.getView, state.getView) }
}

type FieldOptions<Values> = {
  /** Fields whose rules depend on this field; they are validated with it. */
  deps?: Path<Values> | readonly Path<Values>[]
  onChange?: (event: ChangeEvent<Control>) => void
  /** Parses the typed text. */
  setValueAs?: (text: string) => unknown
}

function actionsOf<Values extends object, Output>(
  state: FormState<Values>,
  parse: Parse<Values, Output>,
  mode: Mode,
) {
  const { changeErrors, getValues } = state
  const controls = makeControls()
  const left = new Set<string>()
  const submission: Submission = { wasTried: false, watch: undefined }

  /** Updates the errors of these fields and of the lists that contain them. */
  const check = async (names: readonly string[]) => {
    const result = names.length > 0 && (await parse(getValues()).catch(() => undefined))
    if (!result) return
    const found = messagesOf(result)
    changeErrors(Object.fromEntries(names.flatMap(withParents).map(name => [name, found[name]])))
  }
  const isLive = (name: string) => submission.wasTried || (mode === 'onTouched' && left.has(name))
  const recheck = (names: readonly string[]) => void check(names.filter(isLive))
  const onLeft = (name: string) => {
    left.add(name)
    // After a submit this would clear a server error although nothing was changed.
    if (!submission.wasTried) recheck([name])
  }
  return {
    subscribe: state.subscribe,
    getValues,
    changeErrors,
    register: registerOf(state, controls, recheck, onLeft),
    setValue: <Name extends keyof Values & string>(name: Name, value: Values[Name]) => {
      state.setValue(name, value)
      controls.write(getValues(), name)
      recheck([name])
    },
    reset: (values?: Values) => {
      state.reset(values)
      controls.write(getValues())
      left.clear()
      submission.wasTried = false
    },
    handleSubmit: submitterOf(state, parse, controls, submission),
    isFieldDirty: (name: Path<Values>) => state.isDirty(name),
    setFocus: (name: string, options?: { shouldSelect: boolean }) =>
      controls.focusFirst(other => other === name, options),
    focusFirst: controls.focusFirst,
    /** Whether the person has typed or moved to another field since the submit. */
    hasMovedOn: () => submission.watch?.hasInteracted() ?? false,
    insertRow: state.insertRow,
    removeRow: state.removeRow,
  }
}

/** Creates the function that returns an input's props for a field name. */
function registerOf<Values extends object>(
  state: FormState<Values>,
  controls: ReturnType<typeof makeControls>,
  recheck: (names: readonly string[]) => void,
  onLeft: (name: string) => void,
) {
  return (name: Path<Values>, { deps = [], onChange, setValueAs }: FieldOptions<Values> = {}) => {
    const take = (control: Control) => {
      const typed = readControl(control)
      if (typed === undefined) return
      const value = setValueAs ? setValueAs(String(typed)) : typed
      if (!Object.is(value, valueAt(state.getValues(), name))) state.setValue(name, value)
    }
    return {
      name,
      ref: (control: Control | null) => {
        if (!control) return undefined
        const value = valueAt(state.getValues(), name)
        if (controls.add(name, control)) value === undefined ? take(control) : writeControl(control, value)
        return () => controls.remove(name, control)
      },
      onChange: (event: ChangeEvent<Control>) => {
        take(event.currentTarget)
        recheck([name, deps].flat(2))
        onChange?.(event)
      },
      onBlur: ({ currentTarget }: FocusEvent<Control>) => {
        // Some browsers autofill without firing an event.
        take(currentTarget)
        onLeft(name)
      },
    }
  }
}

type Submission = { wasTried: boolean; watch: ReturnType<typeof watchInteraction> | undefined }

/** The submit handler. It ignores further submits while a submit is running. */
function submitterOf<Values extends object, Output>(
  { getValues, setErrors, setSubmitting }: FormState<Values>,
  parse: Parse<Values, Output>,
  controls: ReturnType<typeof makeControls>,
  submission: Submission,
) {
  let isUnderWay = false
  return (
    onValid: (output: Output) => unknown,
    onInvalid?: () => void,
    /** Called if the schema cannot be loaded. */
    onUnavailable?: (error: Error) => unknown,
  ) =>
    async (event?: SyntheticEvent): Promise<void> => {
      event?.preventDefault()
      if (isUnderWay) return
      isUnderWay = true
      setSubmitting(true)
      try {
        const result = await parse(getValues()).catch(() => undefined)
        if (!result) return void onUnavailable?.(new Error('Its schema could not be loaded'))
        const errors = messagesOf(result)
        setErrors(errors)
        if (result.success) {
          submission.watch = watchInteraction()
          await onValid(result.data)
        } else {
          controls.focusFirst(name => name in errors)
          onInvalid?.()
        }
      } finally {
        submission.watch?.stop()
        submission.wasTried = true
        isUnderWay = false
        setSubmitting(false)
      }
    }
}

/** The first error of each field; for a union, the errors of the option with the fewest errors. */
function messagesOf({ error }: z.ZodSafeParseResult<unknown>): FieldErrors {
  const messages: FieldErrors = {}
  for (const issue of error?.issues ?? []) {
    const kinds = issue.code === 'invalid_union' ? issue.errors : []
    const [nearest] = kinds.toSorted((a, b) => a.length - b.length)
    messages[issue.path.join('.')] ??= nearest?.[0]?.message ?? issue.message
  }
  return messages
}

/** The props that a field component in `ui` needs from its form: `<TextField label="Name" {...field('name')} />`. */
export function fieldPropsOf<Values extends object>({
  register,
  errors,
}: Pick<ZodForm<Values>, 'register' | 'errors'>) {
  return (name: Path<Values>, options?: FieldOptions<Values>) => ({
    ...register(name, options),
    error: errors[name],
  })
}

export type FieldPropsOf<Values extends object> = ReturnType<typeof fieldPropsOf<Values>>

/** Subscribes to the values, or to what `select` returns. `select` must not return a new object each time. */
export function useWatch<Values extends object, Watched = Values>(
  { subscribe, getValues }: Pick<ZodForm<Values>, 'subscribe' | 'getValues'>,
  select: (values: Values) => Watched = values => values as unknown as Watched,
): Watched {
  const snapshot = () => select(getValues())
  return useSyncExternalStore(subscribe, snapshot, snapshot)
}

const FormContext = createContext<unknown>(undefined)

/** Provides a form to its fields: `<FormProvider value={form}>`. */
export const FormProvider = FormContext.Provider

export const useFormContext = <Values extends object>() => use(FormContext) as ZodForm<Values>

/**
 * Shows the server's messages at their fields and focuses the first one, unless the person has moved the focus. Returns
 * false if no message belongs to this form.
 */
export function showFieldErrors<Values extends object>(
  form: Pick<ZodForm<Values>, 'changeErrors' | 'focusFirst' | 'getValues' | 'hasMovedOn'>,
  fields: FieldErrors,
): boolean {
  const values = form.getValues()
  const known = Object.fromEntries(
    Object.entries(fields)
      // Settings forms send a section's fields inside `body`.
      .map(([name, message]) => [name.replace(/^body\./, ''), message] as const)
      .filter(([name]) => name !== '' && valueAt(values, name) !== undefined),
  )
  form.changeErrors(known)
  if (!form.hasMovedOn()) form.focusFirst(name => name in known)
  return Object.keys(known).length > 0
}
