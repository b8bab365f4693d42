import type { Rate } from '../../../../domain/money/rate.ts'
import { api } from '../../../api/api.ts'
import { toastFailure } from '../../../forms/failure-toast.ts'
import { toast } from '../../../ui/toast.ts'

/** Deletes a rate after the owner has confirmed. */
export function useDeleteRate(onDeleted: (rate: Rate) => void) {
  const utils = api.useUtils()
  const remove = api.rates.remove.useMutation()
  return {
    deletingId: remove.isPending ? remove.variables.id : undefined,
    deleteRate: async (rate: Rate) => {
      if (!window.confirm('Are you sure you want to delete this rate?')) return
      try {
        await remove.mutateAsync({ id: rate.id })
      } catch (error) {
        toastFailure(error, 'Failed to delete rate')
        return
      }
      toast.success('Rate deleted successfully')
      onDeleted(rate)
      document.getElementById('main')?.focus({ preventScroll: true })
      void utils.rates.invalidate()
    },
  }
}
