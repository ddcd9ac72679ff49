import { useQuery } from '@tanstack/react-query';
import { Switch } from '../../ui/switch.tsx';
import { keepsDeletedMediaQuery } from '../deleted-media.ts';

interface KeepOriginalsProps {
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}

/**
 * Renders the switch for keeping original pictures. It is hidden on hosted projects, because their storage does not
 * convert pictures.
 */
export function KeepOriginals({ isOn, onChange }: KeepOriginalsProps) {
  const { data: isBuiltInStorage = false } = useQuery(keepsDeletedMediaQuery);
  if (!isBuiltInStorage) return null;
  return (
    <div className="-mt-2 flex flex-wrap items-center gap-x-4 gap-y-1">
      <Switch
        label="Keep originals"
        aria-describedby="keep-originals-help"
        checked={isOn}
        onChange={(event) => onChange(event.target.checked)}
      />
      <p id="keep-originals-help" className="text-sm text-muted">
        Keeps pictures uploaded here in full size, including location and camera data. Only admins can download them.
      </p>
    </div>
  );
}
