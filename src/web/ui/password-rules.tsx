import { Check, Circle } from 'lucide-react'
import { classNames } from './class-names.ts'

type PasswordRulesProps = { rules: readonly { label: string; met: boolean }[]; className?: string }

/** The rules for a new password, checked while it is typed. */
export function PasswordRules({ rules, className }: PasswordRulesProps) {
  return (
    <ul aria-label="Password rules" className={classNames('grid gap-1 text-[0.9375rem]', className)}>
      {rules.map(({ label, met }) => (
        <li key={label} className={classNames('flex items-center gap-2', met ? 'text-green' : 'text-muted')}>
          {met ? (
            <Check aria-hidden className="size-4" strokeWidth={3} />
          ) : (
            <Circle aria-hidden className="size-4" />
          )}
          {label}
          <span className="sr-only">{met ? '(met)' : '(not met yet)'}</span>
        </li>
      ))}
    </ul>
  )
}
