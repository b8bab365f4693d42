import { useCallback } from 'react'
import { api, type Outputs } from '../../../api/api.ts'
import { toastFailure } from '../../../forms/failure-toast.ts'
import { toast } from '../../../ui/toast.ts'

type Version = Outputs['editor']['publish']['published']

/** Reloads what publishing has changed, shows a toast, and offers to restore the previous version. */
export function useAfterPublishing() {
  const utils = api.useUtils()
  const { mutateAsync } = api.editor.publishVersion.useMutation()
  return useCallback(
    async (published: Version, former: number) => {
      const reload = () =>
        Promise.all([utils.editor.invalidate(), utils.site.invalidate(), utils.media.invalidate()])
      const undo = async () => {
        try {
          const again = await mutateAsync({ version: former, published: published.version })
          toast.success('Published', `Version ${former} is back, as version ${again.published.version}.`)
        } catch (error) {
          toastFailure(error, 'Failed to undo the publishing')
        }
        await reload()
      }
      await reload()
      toast.withAction('Published', { label: 'Undo', run: () => void undo() })
    },
    [utils, mutateAsync],
  )
}
