/** The names on the way to an action: of a part of the server, of a procedure. */
export type Path = readonly string[]

/** Has all names on it, and all names on these; `actions` get the names on the way to theirs. */
export function byPath(
  actions: Record<string, (path: Path, ...args: never[]) => unknown>,
  path: Path = [],
): object {
  const inner: Record<string, unknown> = {}
  return new Proxy(inner, {
    get: (_, name) => {
      // Whoever awaits it must not take it for a promise.
      if (typeof name !== 'string' || name === 'then') return undefined
      const action = actions[name]
      inner[name] ??= action ? action.bind(undefined, path) : byPath(actions, [...path, name])
      return inner[name]
    },
  })
}
