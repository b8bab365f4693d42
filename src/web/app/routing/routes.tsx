import { type ComponentType, lazy } from 'react'
import { Route, Switch } from 'wouter'
import { HydrationBoundary } from '../../ui/hydration-boundary.tsx'
import { loadScreens } from './load-screens.ts'
import { publicPageLoaders } from './public-pages.ts'

const page = (load: () => Promise<ComponentType>) => lazy(async () => ({ default: await load() }))

const publicPages = Object.entries(publicPageLoaders).map(([path, load]) => ({ path, component: page(load) }))
/** Visitors of a public page do not load the code of the other screens. */
const Screens = page(async () => (await loadScreens()).Screens)

export function Routes() {
  return (
    <HydrationBoundary>
      <Switch>
        {publicPages.map(({ component, path }) => (
          <Route key={path} path={path} component={component} />
        ))}
        <Route component={Screens} />
      </Switch>
    </HydrationBoundary>
  )
}
