import { useQuery } from '@tanstack/react-query';
import { Switch } from '../../ui/switch.tsx';
import { keepsDeletedMediaQuery } from '../deleted-media.ts';

interface KeepOriginalsProps {
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}

/** Asks whether pictures are kept as they are sent, too. Hidden on a hosted project, whose storage changes none. */
export function KeepOriginals({ isOn, onChange }: KeepOriginalsProps) {
  const { data: isOurStorage = false } = useQuery(keepsDeletedMediaQuery);
  if (!isOurStorage) return null;
  return (
    <div className="-mt-2 flex flex-wrap items-center gap-x-4 gap-y-1">
      <Switch
        label="Keep originals too"
        aria-describedby="keep-originals-help"
        checked={isOn}
        onChange={(event) => onChange(event.target.checked)}
      />
      <p id="keep-originals-help" className="text-sm text-muted">
        Of pictures uploaded here: in full size, with place and camera, for admins only.
      </p>
    </div>
  );
}
