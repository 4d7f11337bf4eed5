export {
  Mirror,
  type MirrorAsOf,
  type MirrorFile,
  type MirrorOptions,
} from './mirror/mirror.ts';
