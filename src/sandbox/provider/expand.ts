import { ApiError } from './api-error.ts'
import { sessionDetails } from './checkout.ts'
import type { SandboxContext } from './events.ts'

type Plain = { [name: string]: unknown }

/** Replaces ids by their objects along each path (`payment_intent.latest_charge`, in lists `data.…`). */
export function expandAll(context: SandboxContext, answer: object, paths: readonly string[]): object {
  const copy = structuredClone(answer)
  for (const path of paths) expandPath(context, copy as Plain, path.split('.'), path)
  return copy
}

function expandPath(context: SandboxContext, target: Plain, [name, ...rest]: string[], path: string): void {
  if (name === undefined) return
  const value = target[name] ?? hiddenList(context, target, name)
  if (value === undefined) throw new ApiError(`This property cannot be expanded (${path}).`)
  const expanded = typeof value === 'string' ? context.store.findAny(value) : value
  if (expanded === undefined) throw new ApiError(`This property cannot be expanded (${path}).`)
  target[name] = expanded
  for (const next of Array.isArray(expanded) ? expanded : [expanded]) {
    if (typeof next === 'object' && next !== null) expandPath(context, next as Plain, rest, path)
  }
}

/** The lists that an object carries only when asked for. */
function hiddenList(context: SandboxContext, target: Plain, name: string): unknown {
  const id = String(target.id)
  if (target.object === 'checkout.session' && name === 'line_items') {
    return listObject(`/v1/checkout/sessions/${id}/line_items`, sessionDetails(context, id).lineItems, false)
  }
  if (target.object === 'charge' && name === 'refunds') {
    const { data, hasMore } = context.store.list('refund', { charge: id }, { limit: 10 })
    return listObject(`/v1/charges/${id}/refunds`, data, hasMore)
  }
  return target[name]
}

export function listObject(url: string, data: readonly object[], hasMore: boolean) {
  return { object: 'list', data, has_more: hasMore, url }
}
