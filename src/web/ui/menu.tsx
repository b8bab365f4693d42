import { DropdownMenu } from 'radix-ui'
import type { ComponentProps, ReactNode } from 'react'
import { classNames } from './class-names.ts'

type MenuProps = { trigger: ReactNode; align?: 'start' | 'end'; children: ReactNode }

/** A list of actions behind a button; `trigger` is that button. */
export function Menu({ trigger, align = 'end', children }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Content
        align={align}
        sideOffset={6}
        collisionPadding={8}
        className="z-50 min-w-44 rounded-control border border-line bg-white p-1.5 shadow-overlay data-[state=open]:animate-fade"
      >
        {children}
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  )
}

/** `onSelect`, or `asChild` around a link. */
export function MenuItem({
  danger = false,
  className,
  ...props
}: ComponentProps<typeof DropdownMenu.Item> & { danger?: boolean }) {
  return (
    <DropdownMenu.Item
      className={classNames(
        'flex min-h-10 cursor-pointer items-center gap-2.5 rounded-[0.25rem] px-3 outline-none select-none',
        'data-disabled:cursor-not-allowed data-disabled:text-muted data-highlighted:bg-shell [&_svg]:size-4.5',
        danger ? 'text-red' : 'text-navy',
        className,
      )}
      {...props}
    />
  )
}

export function MenuSeparator() {
  return <DropdownMenu.Separator className="my-1.5 h-px bg-line" />
}
