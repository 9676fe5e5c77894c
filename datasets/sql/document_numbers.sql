-- The report's shares over documents, as SQL over profiles: one row a system, split, group and metric.
-- Trials are pooled, answers that are not scored are left out (G-11); intervals stand in tendencies.
CREATE OR REPLACE VIEW document_numbers AS
WITH scored AS (
  SELECT suite, edition, system_id, split, case_id, language, level, variant, layout, points, max_points, is_faultless, is_valid, is_valid_first,
         latency_ms, CAST(cost_usd AS DOUBLE) AS cost_usd
  FROM profiles
  WHERE is_scored AND len(scores) = 0 AND suite IN (SELECT suite FROM tendencies WHERE metric = 'field_accuracy')
), grouped AS (
  SELECT *, 'overall' AS dimension, 'all' AS group_name FROM scored
  UNION ALL SELECT *, 'language', language FROM scored
  UNION ALL SELECT *, 'level', level FROM scored
  UNION ALL SELECT *, 'variant', variant FROM scored
  UNION ALL SELECT *, 'layout', layout FROM scored
), folded AS (
  SELECT suite, edition, system_id, split, dimension, group_name,
         count(DISTINCT case_id) AS n_documents,
         count(*) AS n_answers,
         CAST(sum(points) / nullif(sum(max_points), 0) AS DOUBLE) AS field_accuracy,
         avg(CAST(is_faultless AS DOUBLE)) AS faultless,
         avg(CAST(is_valid AS DOUBLE)) AS valid,
         avg(CAST(is_valid_first AS DOUBLE)) AS valid_first,
         CAST(quantile_cont(latency_ms, 0.5) AS DOUBLE) AS latency_p50_ms,
         CAST(quantile_cont(latency_ms, 0.9) AS DOUBLE) AS latency_p90_ms,
         1000 * avg(cost_usd) AS cost_per_1000_usd
  FROM grouped
  GROUP BY ALL
)
UNPIVOT folded
ON field_accuracy, faultless, valid, valid_first, latency_p50_ms, latency_p90_ms, cost_per_1000_usd
INTO NAME metric VALUE value;
