import { quotes } from '../../catalogue/datasets/quotes.ts';
import { securities } from '../../catalogue/datasets/securities.ts';
import { createListRoute } from '../list-route.ts';
import { securitiesOperation } from './securities-operation.ts';

export const createSecuritiesRoute = () =>
  createListRoute(securitiesOperation, [quotes, securities]);
