import { ImageOff } from 'lucide-react'
import { api, type Outputs } from '../../../../api/api.ts'
import { Badge } from '../../../../ui/badge.tsx'
import { classNames } from '../../../../ui/class-names.ts'

export type LibraryPicture = Outputs['pictures']['list']['pictures'][number]

const pollIntervalMs = 3000

/** All pictures that can be chosen; refetched while a picture is being processed. */
export function usePictureLibrary() {
  return api.pictures.list.useQuery(undefined, {
    select: ({ pictures }) => pictures,
    refetchInterval: ({ state }) =>
      state.data?.pictures.some(picture => picture.state === 'processing') ? pollIntervalMs : false,
  })
}

/** The picture with this id: null if it no longer exists, undefined while loading. */
export function useLibraryPicture(id: string | null): LibraryPicture | null | undefined {
  const { data } = usePictureLibrary()
  return data && (data.find(picture => picture.id === id) ?? null)
}

/** Whether shipped pictures are examples to replace; not in the demo, nor after the owner chose to keep them. */
export const useHasExamples = () => api.opening.get.useQuery().data?.examples.includes('pictures') === true

type PictureThumbnailProps = {
  /** Null if the picture does not exist; undefined while that is unknown. */
  picture: LibraryPicture | null | undefined
  className?: string
}

/** A picture in a 3:2 frame, blurred while it has no copies, with its state if it is not ready. */
export function PictureThumbnail({ picture, className }: PictureThumbnailProps) {
  const isExample = useHasExamples() && picture?.shipped
  const source = picture?.thumbnail ?? picture?.placeholder
  return (
    <span className={classNames('relative block aspect-3/2 overflow-hidden bg-linen', className)}>
      {picture && source ? (
        <img
          src={source}
          alt=""
          width={picture.width}
          height={picture.height}
          loading="lazy"
          decoding="async"
          draggable={false}
          className="absolute inset-0 size-full bg-cover object-cover"
          style={picture.placeholder ? { backgroundImage: `url("${picture.placeholder}")` } : undefined}
        />
      ) : (
        picture !== undefined &&
        picture?.state !== 'processing' && (
          <ImageOff aria-hidden className="absolute inset-0 m-auto size-7 text-muted" />
        )
      )}
      {isExample && <Badge className="absolute right-1.5 bottom-1.5">Example</Badge>}
      {picture && picture.state !== 'ready' && (
        <PictureState picture={picture} className="absolute bottom-2 left-2" />
      )}
    </span>
  )
}

function PictureState({ picture: { state }, className }: { picture: LibraryPicture; className: string }) {
  return state === 'processing' ? (
    <Badge tone="blue" className={className}>
      Preparing...
    </Badge>
  ) : (
    <Badge tone="red" className={className}>
      Failed
    </Badge>
  )
}
