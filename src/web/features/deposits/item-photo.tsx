import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import {
  cameraSentence,
  evidenceTexts,
  formatReceived,
  isTakenLongBefore,
} from '../../../domain/bookings/evidence.ts'
import { failureOf } from '../../api/failures.ts'
import { fetchFile, openFile } from '../../api/files.ts'
import { toastFailure } from '../../forms/failure-toast.ts'
import { classNames } from '../../ui/class-names.ts'
import { nearViewport } from '../../ui/near-viewport.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useTimeZone } from '../stays/today.ts'
import type { Item } from './deposit-view.ts'

type ItemPhotoProps = { photo: Item['photos'][number]; name: string; action?: ReactNode }

/** A photo with the time it was received and what its camera says; a press opens it as it came. */
export function ItemPhoto({ action, name, photo }: ItemPhotoProps) {
  const timeZone = useTimeZone()
  const { clockDoubtful, id, receivedAt, takenAt } = photo
  const weight = isTakenLongBefore(photo, timeZone) && 'font-semibold'
  const open = useMutation({
    mutationFn: () => openFile(() => fetchFile(`/api/deposit/photo/${id}`)),
    onError: error => toastFailure(error, 'The photo could not be opened'),
  })
  return (
    <li className="flex items-start gap-3">
      <button
        type="button"
        aria-label={`Open ${name}`}
        className="size-20 shrink-0 overflow-hidden rounded-control border border-line bg-shell"
        onClick={() => open.mutate()}
      >
        <Preview id={id} />
      </button>
      <span className="min-w-0 grow text-sm">
        <span className={classNames('block', weight)}>Received {formatReceived(receivedAt, timeZone)}</span>
        <span className={classNames('block text-muted', weight)}>{cameraSentence(takenAt, timeZone)}</span>
        {clockDoubtful && <span className="block text-muted">{evidenceTexts.clockDoubtful}</span>}
      </span>
      {action}
    </li>
  )
}

function Preview({ id }: { id: string }) {
  const path = `/api/deposit/photo/${id}?preview=1`
  const place = useRef<HTMLSpanElement>(null)
  const { data, error } = useQuery({
    queryKey: [path],
    queryFn: async () => {
      if (place.current) await nearViewport(place.current)
      return fetchFile(path)
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    if (!data) return
    const url = URL.createObjectURL(data)
    setAddress(url)
    return () => URL.revokeObjectURL(url)
  }, [data])
  if (error) {
    const failure = failureOf(error)
    const isDamaged = failure.kind === 'refused' && failure.status === 409
    return (
      <span className="block px-1 text-xs text-muted">
        {isDamaged ? evidenceTexts.damaged : 'Not loaded'}
      </span>
    )
  }
  // The name is the button's.
  return address ? (
    <img alt="" src={address} className="size-full object-cover" />
  ) : (
    <span ref={place} className="block size-full">
      <Skeleton className="size-full" />
    </span>
  )
}
