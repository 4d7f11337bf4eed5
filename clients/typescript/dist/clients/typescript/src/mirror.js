export { Mirror, } from './mirror/mirror.js';
