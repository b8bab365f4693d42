import { LoaderCircle } from 'lucide-react'
import { type ComponentProps, cloneElement, type ReactElement } from 'react'
import { classNames } from './class-names.ts'

const base =
  'inline-flex items-center justify-center gap-2 rounded-control border font-semibold whitespace-nowrap select-none ' +
  'transition-colors disabled:cursor-not-allowed disabled:opacity-60 aria-disabled:opacity-60 [&_svg]:size-[1.15em] [&_svg]:shrink-0'

const variants = {
  primary: 'border-navy bg-navy text-white not-disabled:hover:bg-navy-light not-disabled:active:bg-navy-dark',
  secondary:
    'border-line-strong bg-white text-navy not-disabled:hover:border-navy not-disabled:hover:bg-shell',
  ghost: 'border-transparent bg-transparent text-navy not-disabled:hover:bg-navy/7',
  danger: 'border-red bg-red text-white not-disabled:hover:brightness-90',
  accent: 'border-glass bg-glass text-navy-dark not-disabled:hover:brightness-95',
}

const sizes = {
  sm: 'min-h-9 px-3 text-[0.9375rem] leading-tight',
  md: 'min-h-11 px-4.5 text-base leading-tight',
  lg: 'min-h-13 px-7 text-lg leading-tight',
}

type ButtonProps = ComponentProps<'button'> & {
  variant?: keyof typeof variants
  size?: keyof typeof sizes
  /** Work is in progress: the button is disabled. */
  busy?: boolean
  /** The text while busy, such as 'Sending...'. */
  busyLabel?: string
  /** Applies the button's style to its only child, usually a link, which keeps its own handlers. */
  asChild?: boolean
}

export function Button({
  variant = 'primary',
  size = 'md',
  busy = false,
  busyLabel,
  asChild = false,
  disabled,
  className,
  children,
  type = 'button',
  ...props
}: ButtonProps) {
  const classes = classNames(base, variants[variant], sizes[size], className)
  // Implemented without a library, because every page loads this.
  if (asChild) {
    const child = children as ReactElement<{ className?: string }>
    return cloneElement(child, { ...props, className: classNames(classes, child.props.className) })
  }
  return (
    <button
      type={type}
      className={classes}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      {...props}
    >
      {busy && <LoaderCircle aria-hidden className="animate-spin" />}
      {busy ? (busyLabel ?? children) : children}
    </button>
  )
}
