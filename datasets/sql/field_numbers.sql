-- The share of right values of each field, and within each language (dimension field, field_cs, field_en), as SQL over grades.
CREATE OR REPLACE VIEW field_numbers AS
WITH marks AS (
  SELECT g.suite, g.edition, g.system_id, p.split, p.language, g.case_id, g.item, g.points, g.max_points
  FROM grades g
  JOIN profiles p USING (suite, edition, system_id, case_id, trial)
  WHERE g.judge = 'program' AND g.pass_name = 'atomic' AND g.max_points > 0 AND p.is_scored AND len(p.scores) = 0
    AND g.suite IN (SELECT suite FROM tendencies WHERE metric = 'field_accuracy')
), grouped AS (
  SELECT *, 'field' AS dimension FROM marks
  UNION ALL SELECT *, 'field_' || language FROM marks
)
SELECT suite, edition, system_id, split, dimension, item AS group_name, 'field_accuracy' AS metric,
       CAST(sum(points) / sum(max_points) AS DOUBLE) AS value, count(DISTINCT case_id) AS n_documents, count(*) AS n_items
FROM grouped
GROUP BY ALL;
